extends SceneTree
# Answers queries with corridors and links of an exported project:
#   godot --headless --path FOLDER --script links.gd -- QUERIES PROFILE RADIUS
# QUERIES has a line for each query, in metres of the plan: from_x from_y to_x to_y.


func _initialize() -> void:
	_run()


func _run() -> void:
	var words := OS.get_cmdline_user_args()
	var corridors = load("res://addons/wayloom/corridors.gd").new()
	var links = load("res://addons/wayloom/links.gd").new()
	if not corridors.open("res://corridors.wlb") or not links.open("res://links.json", words[1]):
		print("REFUSED")
		quit(1)
		return
	print("LOADED links=%d hops=%d" % [links.links.size(), links.hops.size()])
	var radius := float(words[2])
	var scene: Node = load("res://level_2d.tscn").instantiate()
	var origin: Array = scene.get_meta("origin")
	scene.free()
	for line in FileAccess.get_file_as_string(words[0]).split("\n", false):
		var n := line.split(" ", false)
		var places: Array[Vector2] = []
		for k in [0, 2]:
			places.append(Vector2(n[k].to_float() - origin[0], n[k + 1].to_float() - origin[1]))
		var found: Dictionary = corridors.find(places[0], places[1], radius, links)
		if found.is_empty():
			print("PATH 0 0")
			continue
		var agrees: bool = found.points[0] == places[0] and found.points[-1] == places[1]
		var cost := 0.0
		for i in found.points.size():
			var link: int = found.links[i]
			if link >= 0:
				cost += links.links[link]["cost"]
			elif i > 0:
				cost += found.points[i - 1].distance_to(found.points[i])
			agrees = agrees and found.clearances[i] >= radius - 0.001
		agrees = agrees and absf(cost - found.cost) < 0.001 * (1.0 + cost)
		print("PATH 1 %.6f %s" % [cost, "agrees" if agrees else "CONTRADICTS"])
	quit(0)

extends SceneTree
# Loads scenes of an exported project and answers queries:
#   godot --headless --path FOLDER --script godot.gd -- QUERIES SCENE...
# QUERIES has a line for each query, in metres of the plan: from_x from_y to_x to_y. Coordinates of the
# file are relative to the level's origin.


func _initialize() -> void:
	_run()


func _run() -> void:
	var words := OS.get_cmdline_user_args()
	var lines := FileAccess.get_file_as_string(words[0]).split("\n", false)
	for i in range(1, words.size()):
		await _answer(words[i], lines)
	quit(0)


func _answer(path: String, lines: PackedStringArray) -> void:
	var packed := load(path) as PackedScene
	if packed == null:
		print("REFUSED ", path)
		return
	var scene := packed.instantiate()
	root.add_child(scene)
	var in_space := scene is Node3D
	var scale: float = 1.0 if in_space else scene.get_meta("pixels_per_metre")
	var origin: Array = scene.get_meta("origin")
	var map: RID = root.find_world_3d().navigation_map if in_space else root.find_world_2d().navigation_map
	var steady := 0
	var last := 0
	for frame in 600:
		await physics_frame
		var id := NavigationServer3D.map_get_iteration_id(map) if in_space else NavigationServer2D.map_get_iteration_id(map)
		steady = steady + 1 if id > 0 and id == last else 0
		last = id
		if steady >= 5:
			break
	var regions := scene.get_node("Navigation").get_child_count()
	var bodies := scene.get_node("Obstacles").get_child_count()
	var routes := scene.get_node("Routes").get_child_count()
	var baked := 0.0
	for route in scene.get_node("Routes").get_children():
		baked += route.curve.get_baked_length() / scale
	print("LOADED %s regions=%d bodies=%d routes=%d route_length=%.3f" % [path, regions, bodies, routes, baked])
	for line in lines:
		var n := line.split_floats(" ", false)
		var from := Vector2(n[0] - origin[0], n[1] - origin[1])
		var to := Vector2(n[2] - origin[0], n[3] - origin[1])
		var points: Array[Vector2] = []
		if in_space:
			var query := NavigationPathQueryParameters3D.new()
			query.map = map
			query.start_position = _on_mesh(map, from)
			query.target_position = _on_mesh(map, to)
			query.path_search_max_polygons = 0
			var answer := NavigationPathQueryResult3D.new()
			NavigationServer3D.query_path(query, answer)
			for p in answer.path:
				points.append(Vector2(p.x, -p.z))
		else:
			var query := NavigationPathQueryParameters2D.new()
			query.map = map
			query.start_position = Vector2(from.x, -from.y) * scale
			query.target_position = Vector2(to.x, -to.y) * scale
			query.path_search_max_polygons = 0
			var answer := NavigationPathQueryResult2D.new()
			NavigationServer2D.query_path(query, answer)
			for p in answer.path:
				points.append(Vector2(p.x, -p.y) / scale)
		# Godot moves ends onto the mesh with 32-bit numbers: centimetres off at a hundred metres.
		var reached := points.size() > 0 and points[points.size() - 1].distance_to(to) < 0.1
		var length := 0.0
		var text := ""
		for k in points.size():
			if k > 0:
				length += points[k].distance_to(points[k - 1])
			text += " %.5f,%.5f" % [points[k].x + origin[0], points[k].y + origin[1]]
		print("PATH %d %.6f%s" % [1 if reached else 0, length, text])
	root.remove_child(scene)
	scene.free()


# A place of the plan on the mesh, which follows the hills.
func _on_mesh(map: RID, place: Vector2) -> Vector3:
	var above := Vector3(place.x, 1000, -place.y)
	var below := Vector3(place.x, -1000, -place.y)
	var at := NavigationServer3D.map_get_closest_point_to_segment(map, above, below)
	return Vector3(place.x, at.y, -place.y)

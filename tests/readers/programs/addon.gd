extends SceneTree
# Plays an exported recording and asks for corridors:
#   godot --headless --path FOLDER --script addon.gd -- SECONDS...


func _initialize() -> void:
	_run()


func _run() -> void:
	for path in ["res://level_2d.tscn", "res://level_3d.tscn"]:
		var scene: Node = load(path).instantiate()
		root.add_child(scene)
		await process_frame
		var player := scene.get_node("Recording")
		player.playing = false
		for word in OS.get_cmdline_user_args():
			player.time = float(word)
			await process_frame
			await process_frame
			var count := 0
			var sum := Vector3.ZERO
			if player is Node3D:
				for body in player.get_children():
					if body.visible:
						count += 1
						sum += Vector3(body.position.x, -body.position.z, 0)
			else:
				for i in player.recording.walkers.size():
					var at = player.recording.position_of(i, player.time)
					if at != null:
						count += 1
						sum += at
			print("AT %s %s %d %.4f %.4f" % [path, word, count, sum.x, sum.y])
		root.remove_child(scene)
		scene.free()
	var corridors = load("res://addons/wayloom/corridors.gd").new()
	if not corridors.open("res://corridors.wlb"):
		print("REFUSED")
		quit(1)
		return
	for radius in [0.5, 0.7]:
		var found: Dictionary = corridors.find(Vector2(3, 5), Vector2(18, 6), radius)
		print("CORRIDOR %s %d" % [radius, 0 if found.is_empty() else 1])
		if found.is_empty():
			continue
		var length := 0.0
		for i in range(1, found.points.size()):
			length += found.points[i].distance_to(found.points[i - 1])
		for clearance in found.clearances:
			if clearance < radius - 0.001:
				print("CONTRADICTS clearance ", clearance)
		if absf(length - found.length) > 0.01 * length:
			print("CONTRADICTS length ", length, " ", found.length)
	quit(0)

extends Node3D
## Plays the recording of the level in a 3D scene: a capsule for each agent.

const Recording := preload("recording.gd")

@export_file("*.json") var file := "res://recording.json"
## Unit: seconds.
@export var time := 0.0
@export var speed := 1.0
@export var playing := true
@export var loop := true

var recording := Recording.new()
var _bodies: Array[MeshInstance3D] = []


func _ready() -> void:
	set_process(recording.open(file))
	var materials := {}
	for walker in recording.walkers:
		var shape := CapsuleMesh.new()
		shape.radius = walker["radius"]
		shape.height = maxf(walker["height"], 2.0 * walker["radius"])
		if not materials.has(walker["colour"]):
			var material := StandardMaterial3D.new()
			material.albedo_color = Color(walker["colour"])
			materials[walker["colour"]] = material
		shape.material = materials[walker["colour"]]
		var body := MeshInstance3D.new()
		body.mesh = shape
		body.name = walker["name"].validate_node_name()
		add_child(body)
		_bodies.append(body)
	_place()


func _process(delta: float) -> void:
	if playing:
		time += delta * speed
		if time > recording.duration():
			time = fmod(time, maxf(recording.duration(), 0.001)) if loop else recording.duration()
	_place()


func _place() -> void:
	for i in _bodies.size():
		var at = recording.position_of(i, time)
		_bodies[i].visible = at != null
		if at != null:
			_bodies[i].position = Vector3(at.x, at.z + 0.5 * _bodies[i].mesh.height, -at.y)

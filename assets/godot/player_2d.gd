extends Node2D
## Plays the recording of the level in a 2D scene.

const Recording := preload("recording.gd")

@export_file("*.json") var file := "res://recording.json"
## Unit: seconds.
@export var time := 0.0
@export var speed := 1.0
@export var playing := true
@export var loop := true

var recording := Recording.new()
var _pixels := 100.0


func _ready() -> void:
	var level := get_parent()
	if level != null and level.has_meta("pixels_per_metre"):
		_pixels = level.get_meta("pixels_per_metre")
	set_process(recording.open(file))


func _process(delta: float) -> void:
	if playing:
		time += delta * speed
		if time > recording.duration():
			time = fmod(time, maxf(recording.duration(), 0.001)) if loop else recording.duration()
	queue_redraw()


func _draw() -> void:
	for i in recording.walkers.size():
		var at = recording.position_of(i, time)
		if at == null:
			continue
		var walker: Dictionary = recording.walkers[i]
		draw_circle(Vector2(at.x, -at.y) * _pixels, walker["radius"] * _pixels, Color(walker["colour"]))

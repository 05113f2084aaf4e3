@tool
extends EditorPlugin


func _enter_tree() -> void:
	add_custom_type("WayloomPlayer2D", "Node2D", preload("player_2d.gd"), null)
	add_custom_type("WayloomPlayer3D", "Node3D", preload("player_3d.gd"), null)


func _exit_tree() -> void:
	remove_custom_type("WayloomPlayer2D")
	remove_custom_type("WayloomPlayer3D")

extends RefCounted
## Who was where, and when: the recording that was exported with the level.

const Blob := preload("blob.gd")

## Unit: seconds.
var interval := 0.1
var frames := 0
## A dictionary for each agent: name, profile, colour, radius, height.
var walkers: Array = []

var _first: PackedInt32Array
var _count: PackedInt32Array
var _starts: PackedInt32Array
var _points: PackedFloat64Array


## Reads recording.json and the tables beside it; false if there is none.
func open(path: String) -> bool:
	if not FileAccess.file_exists(path):
		return false
	var index = JSON.parse_string(FileAccess.get_file_as_string(path))
	if typeof(index) != TYPE_DICTIONARY or index.get("format") != "wayloom-recording":
		push_error("%s is not a recording of Wayloom" % path)
		return false
	var tables := Blob.read(path.get_base_dir().path_join(index["file"]))
	if not tables.has_all(["first", "count", "points"]):
		return false
	interval = index["interval"]
	frames = int(index["frames"])
	walkers = index["walkers"]
	_first = tables["first"]
	_count = tables["count"]
	_points = tables["points"]
	_starts = PackedInt32Array()
	var start := 0
	for count in _count:
		_starts.append(start)
		start += count
	return _first.size() == walkers.size() and _count.size() == walkers.size() and 3 * start == _points.size()


func duration() -> float:
	return maxi(frames - 1, 0) * interval


## Where an agent is, x and y in the plan and z up, in metres from the scene's origin; null if it is not there.
func position_of(walker: int, time: float) -> Variant:
	var exact := clampf(time / interval, 0.0, maxi(frames - 1, 0)) - _first[walker]
	if exact < -1e-6 or exact > _count[walker] - 1 + 1e-6:
		return null
	var i := clampi(floori(exact), 0, _count[walker] - 1)
	var next := mini(i + 1, _count[walker] - 1)
	return _point(walker, i).lerp(_point(walker, next), clampf(exact - i, 0.0, 1.0))


func _point(walker: int, i: int) -> Vector3:
	var at := 3 * (_starts[walker] + i)
	return Vector3(_points[at], _points[at + 1], _points[at + 2])

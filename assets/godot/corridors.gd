extends RefCounted
## Corridors for bodies of any size: the level's medial axis with its clearances.
##
##     var corridors = preload("res://addons/wayloom/corridors.gd").new()
##     corridors.open("res://corridors.wlb")
##     var found = corridors.find(from, to, 0.4)   # in metres of the plan
##     found.points, found.clearances, found.length

const Blob := preload("blob.gd")

var _points: PackedFloat64Array
var _clearances: PackedFloat64Array
var _ends: PackedInt32Array
var _samples: PackedInt32Array
var _lengths: PackedFloat64Array
var _least: PackedFloat64Array
var _sample_points: PackedFloat64Array
var _sample_clearances: PackedFloat64Array
var _edges_at: Array[PackedInt32Array] = []


func open(path: String) -> bool:
	var tables := Blob.read(path)
	var wanted := [
		"vertex_points", "vertex_clearances", "edge_vertices", "edge_samples", "edge_lengths",
		"edge_min_clearances", "sample_points", "sample_clearances",
	]
	if not tables.has_all(wanted):
		return false
	_points = tables["vertex_points"]
	_clearances = tables["vertex_clearances"]
	_ends = tables["edge_vertices"]
	_samples = tables["edge_samples"]
	_lengths = tables["edge_lengths"]
	_least = tables["edge_min_clearances"]
	_sample_points = tables["sample_points"]
	_sample_clearances = tables["sample_clearances"]
	_edges_at.clear()
	for i in _clearances.size():
		_edges_at.append(PackedInt32Array())
	for edge in _lengths.size():
		for vertex in [_ends[2 * edge], _ends[2 * edge + 1]]:
			_edges_at[vertex].append(edge)
	return true


func vertex_count() -> int:
	return _clearances.size()


func vertex(i: int) -> Vector2:
	return Vector2(_points[2 * i], _points[2 * i + 1])


## The vertex whose free disc holds a place, or the one that comes nearest to that; -1 if nothing fits.
func nearest(place: Vector2, radius: float) -> int:
	var best := -1
	var least := INF
	for i in _clearances.size():
		if _clearances[i] < radius:
			continue
		var far := vertex(i).distance_to(place) - _clearances[i]
		if far < least:
			least = far
			best = i
	return best


## The corridor between two places for a disc; empty if there is none.
func find(from: Vector2, to: Vector2, radius: float) -> Dictionary:
	var first := nearest(from, radius)
	var last := nearest(to, radius)
	return {} if first < 0 or last < 0 else between(first, last, radius)


## The shortest connection of two vertices that a disc fits through; empty if there is none.
func between(first: int, last: int, radius: float) -> Dictionary:
	var costs := PackedFloat64Array()
	costs.resize(_clearances.size())
	costs.fill(INF)
	var through := PackedInt32Array()
	through.resize(_clearances.size())
	through.fill(-1)
	costs[first] = 0.0
	var heap := [[0.0, first]]
	while not heap.is_empty():
		var entry: Array = _pop(heap)
		var at: int = entry[1]
		if entry[0] > costs[at]:
			continue
		if at == last:
			break
		for edge in _edges_at[at]:
			if _least[edge] < radius:
				continue
			var next := _ends[2 * edge + 1] if _ends[2 * edge] == at else _ends[2 * edge]
			var reached: float = entry[0] + _lengths[edge]
			if reached < costs[next]:
				costs[next] = reached
				through[next] = edge
				_push(heap, [reached, next])
	if is_inf(costs[last]):
		return {}
	var points := PackedVector2Array()
	var clearances := PackedFloat64Array()
	var at := last
	while at != first:
		var edge := through[at]
		var forward := _ends[2 * edge + 1] == at
		var range_ := range(_samples[2 * edge], _samples[2 * edge + 1])
		if forward:
			range_.reverse()
		for sample in range_:
			points.append(Vector2(_sample_points[2 * sample], _sample_points[2 * sample + 1]))
			clearances.append(_sample_clearances[sample])
		at = _ends[2 * edge] if forward else _ends[2 * edge + 1]
	points.reverse()
	clearances.reverse()
	return {"points": points, "clearances": clearances, "length": costs[last]}


static func _push(heap: Array, entry: Array) -> void:
	heap.append(entry)
	var at := heap.size() - 1
	while at > 0 and heap[(at - 1) / 2][0] > entry[0]:
		heap[at] = heap[(at - 1) / 2]
		at = (at - 1) / 2
	heap[at] = entry


static func _pop(heap: Array) -> Array:
	var top: Array = heap[0]
	var last: Array = heap.pop_back()
	if heap.is_empty():
		return top
	var at := 0
	while 2 * at + 1 < heap.size():
		var child := 2 * at + 1
		if child + 1 < heap.size() and heap[child + 1][0] < heap[child][0]:
			child += 1
		if heap[child][0] >= last[0]:
			break
		heap[at] = heap[child]
		at = child
	heap[at] = last
	return top

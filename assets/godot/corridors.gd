extends RefCounted
## Corridors for bodies of any size: the level's medial axis with its clearances.
##
##     var corridors = preload("res://addons/wayloom/corridors.gd").new()
##     corridors.open("res://corridors.wlb")
##     var found = corridors.find(from, to, 0.4)
##     found.points, found.clearances, found.length, found.cost
##
## Places are in metres of the plan, x to the right and y up, from the scene's origin. With links
## (links.gd) the corridor may go through those, too:
##
##     var links = preload("res://addons/wayloom/links.gd").new()
##     links.open("res://links.json", "Adult")
##     found = corridors.find(from, to, 0.4, links)
##     found.links    # for each point the number of the link that leads to it, -1 where one walks

const Blob := preload("blob.gd")
const Heap := preload("heap.gd")

var _ends: PackedInt32Array
var _samples: PackedInt32Array
var _points: PackedFloat64Array
var _clearances: PackedFloat64Array
var _edges_at: Array[PackedInt32Array] = []
## Whether the axis goes on from a sample to the next one.
var _goes_on: PackedByteArray
## The edge that begins or ends at a sample; -1 in between.
var _edge_at: PackedInt32Array


func open(path: String) -> bool:
	var tables := Blob.read(path)
	if not tables.has_all(["vertex_clearances", "edge_vertices", "edge_samples", "sample_points", "sample_clearances"]):
		return false
	_ends = tables["edge_vertices"]
	_samples = tables["edge_samples"]
	_points = tables["sample_points"]
	_clearances = tables["sample_clearances"]
	var vertices: int = tables["vertex_clearances"].size()
	_edges_at.clear()
	for i in vertices:
		_edges_at.append(PackedInt32Array())
	_goes_on.resize(_clearances.size())
	_goes_on.fill(0)
	_edge_at.resize(_clearances.size())
	_edge_at.fill(-1)
	for edge in _ends.size() / 2:
		for vertex in [_ends[2 * edge], _ends[2 * edge + 1]]:
			_edges_at[vertex].append(edge)
		var first := _samples[2 * edge]
		var last := _samples[2 * edge + 1] - 1
		for i in range(first, last):
			_goes_on[i] = 1
		_edge_at[first] = edge
		_edge_at[last] = edge
	return true


func sample(i: int) -> Vector2:
	return Vector2(_points[2 * i], _points[2 * i + 1])


## The corridor between two places for a disc; empty if there is none.
func find(from: Vector2, to: Vector2, radius: float, links = null) -> Dictionary:
	var search := Search.new(self, radius)
	if search.add_place(from) < 0 or search.add_place(to) < 0:
		return {}
	if links != null:
		for hop in links.hops:
			search.add_hop(hop)
	return search.path()


## Where a place is nearest to the axis, among the discs around the axis that hold the whole body there:
## the sample before it, the point itself and its clearance. Empty if the body does not fit.
func _entry(place: Vector2, radius: float) -> Dictionary:
	var best := {}
	var least := INF
	for i in _goes_on.size():
		if _goes_on[i] == 0:
			continue
		var a := sample(i)
		var b := sample(i + 1)
		var square := a.distance_squared_to(b)
		var share := clampf((place - a).dot(b - a) / square, 0.0, 1.0) if square > 0.0 else 0.0
		var at := a.lerp(b, share)
		var room := lerpf(_clearances[i], _clearances[i + 1], share)
		var far := place.distance_to(at)
		if far < least and far + radius <= room + 1e-4:
			least = far
			best = {"sample": i, "at": at, "room": room, "far": far, "place": place}
	return best


## One query. Nodes are samples, then vertices, then places that are beside the axis.
class Search:
	const START := 0
	const GOAL := 1
	## How one gets to a node, apart from links, which have numbers: along the axis, or straight within a free disc.
	const ALONG := -1
	const STRAIGHT := -2

	var _map
	var _radius: float
	var _first_vertex: int
	var _first_place: int
	var _entries: Array[Dictionary] = []
	## By node: what is connected to it apart from the axis, as [node, cost, number of the link].
	var _more := {}

	func _init(map, radius: float) -> void:
		_map = map
		_radius = radius
		_first_vertex = map._clearances.size()
		_first_place = _first_vertex + map._edges_at.size()

	## Connects a place with the axis; its number, or -1 where the body does not fit.
	func add_place(place: Vector2) -> int:
		var entry: Dictionary = _map._entry(place, _radius)
		if entry.is_empty():
			return -1
		var number := _entries.size()
		for other in number:
			var known := _entries[other]
			if _is_in_disc(known, place) or _is_in_disc(entry, known["place"]):
				_connect(number, other, place.distance_to(known["place"]), STRAIGHT)
			elif known["sample"] == entry["sample"]:
				# Both beside one piece of the axis.
				var along: float = entry["at"].distance_to(known["at"])
				_connect(number, other, entry["far"] + along + known["far"], ALONG)
		_entries.append(entry)
		for end in [entry["sample"], entry["sample"] + 1]:
			if _map._clearances[end] >= _radius:
				var length: float = entry["far"] + entry["at"].distance_to(_map.sample(end))
				_add(_first_place + number, end, length, -1)
				_add(end, _first_place + number, length, -1)
		return number

	## A link in one direction, if the body fits at both of its ends.
	func add_hop(hop: Dictionary) -> void:
		var from := add_place(hop["from"])
		var to := add_place(hop["to"])
		if from >= 0 and to >= 0:
			_add(_first_place + from, _first_place + to, hop["cost"], hop["link"])

	## Whether the whole body at a place is in the free disc where another place meets the axis.
	func _is_in_disc(entry: Dictionary, place: Vector2) -> bool:
		return place.distance_to(entry["at"]) + _radius <= entry["room"]

	func _connect(a: int, b: int, cost: float, how: int) -> void:
		_add(_first_place + a, _first_place + b, cost, how)
		_add(_first_place + b, _first_place + a, cost, how)

	func _add(from: int, to: int, cost: float, link: int) -> void:
		_more.get_or_add(from, []).append([to, cost, link])

	## The neighbours of a node, as [node, cost, number of the link].
	func _beyond(node: int) -> Array:
		var found: Array = _more.get(node, []).duplicate()
		if node >= _first_place:
			return found
		if node >= _first_vertex:
			var vertex := node - _first_vertex
			for edge in _map._edges_at[vertex]:
				if _map._ends[2 * edge] == vertex:
					found.append([_map._samples[2 * edge], 0.0, -1])
				if _map._ends[2 * edge + 1] == vertex:
					found.append([_map._samples[2 * edge + 1] - 1, 0.0, -1])
			return found
		if _map._goes_on[node] == 1:
			found.append([node + 1, _map.sample(node).distance_to(_map.sample(node + 1)), -1])
		if node > 0 and _map._goes_on[node - 1] == 1:
			found.append([node - 1, _map.sample(node).distance_to(_map.sample(node - 1)), -1])
		var edge: int = _map._edge_at[node]
		if edge >= 0:
			var end := 0 if node == _map._samples[2 * edge] else 1
			found.append([_first_vertex + _map._ends[2 * edge + end], 0.0, -1])
		return found

	func _fits(node: int) -> bool:
		return node >= _first_vertex or _map._clearances[node] >= _radius

	## Dijkstra from the first place to the second one.
	func path() -> Dictionary:
		var goal := _first_place + GOAL
		var start := _first_place + START
		var costs := {start: 0.0}
		var before := {}
		var heap := Heap.new()
		heap.push(0.0, start)
		while not heap.is_empty():
			var entry: Array = heap.pop()
			var at: int = entry[1]
			if at == goal:
				break
			if entry[0] > costs[at]:
				continue
			for step in _beyond(at):
				var cost: float = entry[0] + step[1]
				if _fits(step[0]) and cost < costs.get(step[0], INF):
					costs[step[0]] = cost
					before[step[0]] = [at, step[2]]
					heap.push(cost, step[0])
		return _told(before, costs[goal]) if costs.has(goal) else {}

	func _told(before: Dictionary, cost: float) -> Dictionary:
		var nodes := [_first_place + GOAL]
		var through := []
		while before.has(nodes[-1]):
			through.append(before[nodes[-1]][1])
			nodes.append(before[nodes[-1]][0])
		nodes.reverse()
		through.append(-1)
		through.reverse()
		var told := {"points": PackedVector2Array(), "clearances": PackedFloat64Array(), "links": PackedInt32Array(), "length": 0.0, "cost": cost}
		for i in nodes.size():
			var node: int = nodes[i]
			if node < _first_vertex:
				_tell(told, _map.sample(node), _map._clearances[node], -1)
			elif node >= _first_place:
				# A place is left, or reached, by its point on the axis, unless one goes straight or by a link.
				var entry := _entries[node - _first_place]
				var steps := [[entry["place"], entry["room"] - entry["far"]]]
				var on_axis := [entry["at"], entry["room"]]
				if i > 0 and through[i] == ALONG:
					steps.push_front(on_axis)
				if i + 1 < nodes.size() and through[i + 1] == ALONG:
					steps.push_back(on_axis)
				for k in steps.size():
					_tell(told, steps[k][0], steps[k][1], maxi(through[i], -1) if k == 0 else -1)
		return told

	func _tell(told: Dictionary, point: Vector2, clearance: float, link: int) -> void:
		if link < 0 and not told["points"].is_empty():
			told["length"] += told["points"][-1].distance_to(point)
		told["points"].append(point)
		told["clearances"].append(clearance)
		told["links"].append(link)

extends RefCounted
## A queue that gives the cheapest entry first.

var _entries := []


func is_empty() -> bool:
	return _entries.is_empty()


func push(cost: float, what: int) -> void:
	var entry := [cost, what]
	_entries.append(entry)
	var at := _entries.size() - 1
	while at > 0 and _entries[(at - 1) / 2][0] > cost:
		_entries[at] = _entries[(at - 1) / 2]
		at = (at - 1) / 2
	_entries[at] = entry


## Cost and what was pushed with it.
func pop() -> Array:
	var top: Array = _entries[0]
	var last: Array = _entries.pop_back()
	if _entries.is_empty():
		return top
	var at := 0
	while 2 * at + 1 < _entries.size():
		var child := 2 * at + 1
		if child + 1 < _entries.size() and _entries[child + 1][0] < _entries[child][0]:
			child += 1
		if _entries[child][0] >= last[0]:
			break
		_entries[at] = _entries[child]
		at = child
	_entries[at] = last
	return top

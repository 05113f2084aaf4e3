extends RefCounted
## Named tables of numbers: a .wlb file. docs/bake.md of Wayloom describes it.


## The tables by name, as PackedFloat64Array or PackedInt32Array; empty if the file is damaged.
## Indices beyond 2147483647 stand for "none" and arrive as -1.
static func read(path: String) -> Dictionary:
	var bytes := FileAccess.get_file_as_bytes(path)
	var tables := {}
	if bytes.size() < 8 or bytes.slice(0, 4).get_string_from_ascii() != "WLB1":
		push_error("%s is not a Wayloom blob" % path)
		return {}
	var at := 8
	for i in bytes.decode_u32(4):
		if at + 16 > bytes.size():
			return _torn(path)
		var name_length := bytes.decode_u32(at)
		var kind := bytes.decode_u32(at + 4)
		var count := bytes.decode_u64(at + 8)
		at += 16
		var width := 8 if kind == 1 else 4
		var values := at + _padded(name_length)
		if kind < 1 or kind > 2 or count < 0 or count > (bytes.size() - values) / width:
			return _torn(path)
		var name := bytes.slice(at, at + name_length).get_string_from_utf8()
		var data := bytes.slice(values, values + count * width)
		tables[name] = data.to_float64_array() if kind == 1 else data.to_int32_array()
		at = values + _padded(count * width)
	return tables


static func _padded(size: int) -> int:
	return (size + 7) / 8 * 8


static func _torn(path: String) -> Dictionary:
	push_error("%s ends in the middle of a table" % path)
	return {}

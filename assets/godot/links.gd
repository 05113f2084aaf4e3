extends RefCounted
## The level's links, places that are connected without walking: jumps, ladders, lifts. For corridors.gd.

const Blob := preload("blob.gd")

## As the level has them, in its order: a dictionary each, with id, name, action, animation, cost.
var links: Array = []
## Those that the profile may use, each direction by itself: from, to, cost, and the number of the link.
var hops: Array[Dictionary] = []


## Reads links.json and the tables beside it; `profile` is a profile's name.
func open(path: String, profile: String) -> bool:
	links.clear()
	hops.clear()
	var index = JSON.parse_string(FileAccess.get_file_as_string(path))
	if typeof(index) != TYPE_DICTIONARY or index.get("format") != "wayloom-links":
		push_error("%s does not list the links of a level of Wayloom" % path)
		return false
	var ids := {}
	for known in index["profiles"]:
		ids[known["name"]] = int(known["id"])
	if not ids.has(profile):
		push_error("there is no profile %s; there are: %s" % [profile, ", ".join(ids.keys())])
		return false
	var tables := Blob.read(path.get_base_dir().path_join(index["file"]))
	if not tables.has_all(["link_ends", "link_costs", "link_both_ways", "link_profile_starts", "link_profiles"]):
		return false
	links = index["links"]
	var ends: PackedFloat64Array = tables["link_ends"]
	var starts: PackedInt32Array = tables["link_profile_starts"]
	if ends.size() != 6 * links.size() or starts.size() != links.size() + 1:
		push_error("%s belongs to another list of links" % index["file"])
		return false
	for i in links.size():
		var admitted: PackedInt32Array = tables["link_profiles"].slice(starts[i], starts[i + 1])
		if not admitted.is_empty() and not admitted.has(ids[profile]):
			continue
		var from := Vector2(ends[6 * i], ends[6 * i + 1])
		var to := Vector2(ends[6 * i + 3], ends[6 * i + 4])
		var cost: float = tables["link_costs"][i]
		hops.append({"from": from, "to": to, "cost": cost, "link": i})
		if tables["link_both_ways"][i] != 0:
			hops.append({"from": to, "to": from, "cost": cost, "link": i})
	return true

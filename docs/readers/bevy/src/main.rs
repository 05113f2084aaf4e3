//! Asks for a path: `cargo run -- LEVEL.mesh CORRIDORS.wlb FROM_X FROM_Y TO_X TO_Y`.

mod level;

use glam::Vec2;
use level::BakedLevel;

fn main() -> Result<(), String> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [mesh, corridors, rest @ ..] = &words[..] else {
        return Err("give LEVEL.mesh CORRIDORS.wlb FROM_X FROM_Y TO_X TO_Y".to_owned());
    };
    let numbers: Vec<f32> = rest.iter().filter_map(|word| word.parse().ok()).collect();
    let [from_x, from_y, to_x, to_y] = numbers[..] else {
        return Err("from and to are four numbers, in metres".to_owned());
    };
    let level = BakedLevel::load(mesh, corridors)?;
    match level.path(Vec2::new(from_x, from_y), Vec2::new(to_x, to_y)) {
        Some(path) => {
            println!("{:.5}", path.length);
            for point in path.path {
                println!("{} {}", point.x, point.y);
            }
        }
        None => println!("no path"),
    }
    println!("widest body that gets everywhere: {:.2} m", 2.0 * level.narrowest());
    Ok(())
}

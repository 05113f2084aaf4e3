fn main() -> anyhow::Result<()> {
    #[cfg(feature = "gui")]
    wayloom::editor::run(std::env::args_os().nth(1).map(Into::into))?;
    Ok(())
}

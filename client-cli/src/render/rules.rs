//! The games as text.

use grundy_shared::games::GameInfo;

use super::columns;

/// Every game, one line each.
pub(crate) fn list(games: &[&GameInfo]) -> String {
    let rows: Vec<Vec<String>> = games
        .iter()
        .map(|game| {
            let first_sentence = game.rule.split_inclusive('.').next().unwrap_or(game.rule);
            let example = game.examples.first().copied().unwrap_or_default();
            vec![
                game.name.to_owned(),
                example.to_owned(),
                first_sentence.to_owned(),
            ]
        })
        .collect();
    columns(&["game", "example", "rule"], &rows)
}

/// One game in full.
pub(crate) fn show(game: &GameInfo) -> String {
    let example = game.examples.first().copied().unwrap_or_default();
    format!(
        "{title} ({name})\n\n{rule}\n\n\
         Position  {notation}\nMove      {moves}\nExamples  {examples}\n\
         Method    {method}\nCost      {cost}\nLimits    {limits}\nSource    {source}\n\n\
         Add @misere to a position and whoever makes the last move loses; join positions with + to play them as one.\n\n\
         Try: grundy play {example} --local\n     grundy solve {example}\n",
        title = game.title,
        name = game.name,
        rule = game.rule,
        notation = game.notation,
        moves = game.move_notation,
        examples = game.examples.join("  "),
        method = game.method,
        cost = game.complexity,
        limits = game.limits,
        source = game.source,
    )
}

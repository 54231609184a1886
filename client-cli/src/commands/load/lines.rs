//! The report of a run for people: a few lines.

use grundy_words::{Catalogue, Message};

use super::report::{OpenLoop, Report};

/// The report in a language, without the end of its last line.
pub(crate) fn lines(report: &Report, words: &Catalogue) -> String {
    let mut said = conditions(report);
    said.extend(figures(report));
    said.extend(report.open.iter().flat_map(open));
    said.push(memory(report));
    said.extend(comparison(report).into_iter().flatten());
    said.extend(others(report));
    let said = said.iter().map(|message| message.said(words));
    let slips = report.slips.iter().map(|slip| format!("  {slip}"));
    said.chain(slips).collect::<Vec<_>>().join("\n")
}

/// What was asked for, and where it ran.
fn conditions(report: &Report) -> Vec<Message> {
    let pace = match report.rate {
        None => Message::new("load-closed"),
        Some(rate) => Message::new("load-rate").text("rate", rate),
    };
    let asked = Message::new("load-asked")
        .text("matches", report.matches)
        .text("plies", report.plies)
        .text("seconds", report.seconds)
        .message("pace", pace)
        .text("server", &report.server);
    let cores = match (report.server_core, report.load_core) {
        (Some(server), Some(load)) => Message::new("load-cores")
            .text("server", server)
            .text("load", load),
        _ => {
            let why = report.not_pinned_because.as_deref();
            Message::new("load-not-pinned").text("said", why.unwrap_or("?"))
        }
    };
    vec![asked, cores]
}

/// Speed, delay and cost.
fn figures(report: &Report) -> [Message; 4] {
    [
        Message::new("load-speed")
            .text("rate", format!("{:.0}", report.moves_per_s))
            .text("moves", report.moves)
            .text("finished", report.finished_matches),
        Message::new("load-ack")
            .text("half", ms(report.ack_ms_p50))
            .text("most", ms(report.ack_ms_p99)),
        Message::new("load-opponent")
            .text("half", ms(report.opponent_ms_p50))
            .text("most", ms(report.opponent_ms_p99)),
        Message::new("load-cpu")
            .text("server", format!("{:.1}", report.server_cpu_us_per_move))
            .text("load", format!("{:.1}", report.load_cpu_us_per_move))
            .text("share", format!("{:.0}", report.load_cpu_share * 100.0)),
    ]
}

/// What was offered in an open loop, and what was refused.
fn open(open: &OpenLoop) -> Vec<Message> {
    let offered = Message::new("load-offered")
        .text("rate", format!("{:.0}", open.offered_per_s))
        .text("blocked", open.blocked)
        .text("offered", open.offered)
        .text("most", ms(open.ack_ms_p999));
    let done = open.done.iter().map(|(asked, times)| {
        Message::new("load-done")
            .text("asked", asked)
            .text("times", times)
    });
    let refused = open.refused.iter().map(|shed| {
        Message::new("load-refused")
            .text("asked", shed.asked)
            .text("times", shed.refusals)
            .text("code", &shed.code)
            .text("without", shed.without_time)
    });
    let unanswered = Message::new("load-unanswered")
        .text("n", open.unanswered)
        .text("unsent", open.others_blocked)
        .text("others", open.others);
    let said = [offered].into_iter().chain(done).chain(refused);
    said.chain([unanswered]).collect()
}

fn memory(report: &Report) -> Message {
    let memory = match report.idle_connection_rss_kib {
        Some(kib) => Message::new("load-memory-idle")
            .text("idle", format!("{kib:.1}"))
            .text("n", report.idle),
        None => Message::new("load-memory"),
    };
    memory
        .text("server", format!("{:.1}", report.server_rss_mib))
        .text("match", format!("{:.1}", report.match_rss_kib))
}

/// The relay beside the server, if there was one.
fn comparison(report: &Report) -> Option<[Message; 2]> {
    let [least, largest] = report.ratio_spread?;
    let two = |figure: f64| format!("{figure:.2}");
    Some([
        Message::new("load-relay")
            .text("rate", format!("{:.0}", report.baseline_moves_per_s?))
            .text("cpu", format!("{:.1}", report.baseline_cpu_us_per_move?))
            .text("half", ms(report.baseline_ack_ms_p50))
            .text("most", ms(report.baseline_ack_ms_p99)),
        Message::new("load-ratio")
            .text("ratio", two(report.ratio?))
            .text("least", two(least))
            .text("largest", two(largest))
            .text("cpu", two(report.cpu_ratio?)),
    ])
}

/// Who else was there, and whether the server kept its promises.
fn others(report: &Report) -> Vec<Message> {
    let watchers = Message::new("load-watchers")
        .text("n", report.watchers)
        .text("events", report.watched_events);
    let askers = Message::new("load-askers")
        .text("n", report.askers)
        .text("solved", report.solved);
    let late = Message::new("load-late").text("n", report.late_moves);
    let promises = Message::new("load-promises")
        .text("lost", report.lost_moves)
        .text("gaps", report.gaps)
        .text("refusals", report.refusals)
        .text("disconnects", report.disconnects);
    let said = [
        (report.watchers > 0).then_some(watchers),
        (report.askers > 0).then_some(askers),
        (report.late_moves > 0).then_some(late),
        Some(promises),
    ];
    said.into_iter().flatten().collect()
}

/// Milliseconds as they are printed.
fn ms(time: Option<f64>) -> String {
    time.map_or("-".to_owned(), |ms| format!("{ms:.2}"))
}

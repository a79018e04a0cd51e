import { itFinds, itFindsPrints } from './logged';

describe('Logging calls of Rust', () => {
  itFinds('rust', [
    [
      'log › order, names and formats',
      'info!("a {} {b} {c:?} {0:>5} {{d}} {e.f}", x, c = y);',
      'info: a <x> <b> <y> <x> {d} <e.f>',
    ],
    [
      'tracing › fields and targets first',
      'tracing::warn!(target: "db", id = %id, ?err, size, "a {}", b);',
      'warn: a <b>',
    ],
    ['tracing › no message', 'error!(?err); debug!(name = "a");', ['error: ', 'debug: ']],
    [
      'levels › first',
      'log!(Level::Warn, "a"); event!(Level::INFO, b = 1, "c");',
      ['warn: a', 'info: c'],
    ],
    [
      'slog › logger first, pairs behind a semicolon',
      'info!(log, "a {}", b; "c" => d); crit!(log, "e");',
      ['info: a <b>', 'fatal: e'],
    ],
    ['macros › any brackets', 'info!["a"]; info! { "b" }', ['info: a', 'info: b']],
    [
      'format!',
      'error!("{}", format!("a {b}")); logger.log(Level::Info, format!("c {}", d));',
      ['error: ', 'info: c <d>'],
    ],
    [
      'raw strings, lines, lifetimes and characters',
      'fn f<\'a>(x: &\'a str) { let c = \'"\'; let d = \'\\\'\'; info!(r#"a "b" {c}"#); warn!("d \\\n    e"); }',
      ['info: a "b" <c>', 'warn: d e'],
    ],
    ['nested comments', '/* /* info!("a") */ info!("b") */ info!("c")', 'info: c'],
    [
      'other macros and methods › are not',
      'info_span!("a"); error_span!("b"); error("c"); debug_assert!(d); x.error("e");',
    ],
  ]);
  itFindsPrints('rust', 'println!("a {b}"); eprintln!("c {}", d);', ['-: a <b>', '-: c <d>']);
});

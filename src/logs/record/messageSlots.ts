import { lazyRegExp } from '../../base/textFormat';
import { errorName } from './headline';

/** What stands for a value: a number, an id, a time … `value` is one of more than one kind. */
export type Sign = 'n' | 'id' | 'time' | 'address' | 'path' | 'url' | 'email' | 'text' | 'value';

/** A place in a message where a value may stand. */
export interface Slot {
  /** A word as it is; its letters if only its digits vary (`node-<n>`); the sign of a value (`<id>`). */
  readonly text: string;
  /**
   * Whether it varies: a `value` always does, a `word` only if there is much to say so, a `name` (a host, a class,
   * a word with digits) as soon as there is another one in its place.
   */
  readonly kind: 'value' | 'name' | 'word';
  /** An amount in brackets behind it, with the space before: only some messages say it, so it tells none apart. */
  readonly aside?: string | undefined;
}

/** A message as slots and what is between them. */
interface SlottedMessage {
  /** One more than slots: before the first, between, and after the last. Spaces and punctuation. */
  readonly gaps: string[];
  readonly slots: Slot[];
}

/** How much of a message is read, in UTF-16 units, and how many slots it has at most: beyond it is `…`. */
const maxRead = 1000;
const maxSlots = 48;
/** Longer words are keys, tokens or data, not words; names of classes and hosts have dots. In UTF-16 units. */
const longestWord = 64;
const longestName = 200;
/** The longest quoted text, in UTF-16 units. */
const longestQuoted = 500;

function value(sign: Sign): Slot {
  return { text: `<${sign}>`, kind: 'value' };
}

const values = {
  n: value('n'),
  id: value('id'),
  time: value('time'),
  address: value('address'),
  path: value('path'),
  url: value('url'),
  email: value('email'),
  text: value('text'),
  value: value('value'),
} as const satisfies Record<Sign, Slot>;

/** What ends a word, besides white space. Two dots do, too. */
const delimiters = new Set('()[]{}<>"\'`,;=|:');
const wordCharacters = /(?:[^\s()[\]{}<>"'`,;=|:.]|\.(?!\.))+/y;

const months = 'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec';
const clock = String.raw`\d\d:\d\d(?::\d\d)?(?:[.,]\d{1,9})?`;
/** A date with or without a time, or a time or duration alone; each from where it begins. */
const time = new RegExp(
  [
    String.raw`\d{4}[-/]\d\d?[-/]\d\d?(?:[T ]${clock}(?: ?(?:Z|[+-]\d\d:?\d\d))?)?`,
    String.raw`(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? )?(?:(?:${months}) {1,2}\d\d?|\d\d?[ /-](?:${months})[ /-]\d{4}),?[ :]${clock}(?: [A-Z]{3,4}\b)?(?: \d{4})?(?: [+-]\d{4})?`,
    String.raw`\d{1,3}:\d\d(?::\d\d)?(?:[.,]\d{1,9})?`,
  ]
    .map((form) => `(?:${form})(?![\\w:])`)
    .join('|'),
  'y',
);
const dateWord = new RegExp(`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun|${months}),?$`);

const plainWord = /^[A-Za-z]+$/;

/** A version with a suffix, or of a Debian package: `20.2-1beta1`, `3.6+dfsg~2-1`, `1:9.2p1-2+deb12u6`. */
const version =
  /(?!\d{4}-\d\d?-|\d\d?-[a-z]{3}-\d)(?:(?=[^\s:]{0,64}[a-z])|\d{1,2}:(?=\d+\.[\w.]*[-+~]))\d+(?:\.[\da-z]+)*[a-z]{0,8}\d*[-+~](?=[^\s\d]{0,16}\d)[\w.+~-]*[\w+~](?![\w:/@]|[.-]\w)/iy;

/** MAC and IPv6 addresses, and those of devices: `0000:02:0e.0`. */
const colonAddress =
  /(?:(?:[\da-f]{1,4}:){3,19}[\da-f]{1,4}|(?:[\da-f]{1,4}:){1,6}(?::[\da-f]{1,4}){1,6}|[\da-f]{4}:[\da-f]{2}:[\da-f]{2}\.[0-7])(?![\w:])/iy;
const url = /[a-z][a-z\d+.-]{1,30}:\/\/[^\s"'<>`()[\]{}]*[^\s"'<>`()[\]{}.,;:!?]/iy;
const drivePath = /[a-z]:[\\/][^\s"'<>|,;()]*/iy;
/** The number of a name with dots: a port or any other. */
const amount = /:[-+]?\d+(?:\.\d+)?(?![\w:.-])/y;
/** A number in brackets right behind a word: it is of the word, as that of `node-7` is. */
const ownNumber = /\([-+]?\d+(?:\.\d+)*\)|\[[-+]?\d+(?:\.\d+)*\]|\{[-+]?\d+(?:\.\d+)*\}/y;
/** The request line of HTTP: its method is what it says. */
const request = /(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) [/*][^\s"']*( HTTP\/(?=\d)[\d.]{1,5})?/y;
/** What an access log writes where there is nothing. */
const nothing = /(?<=^| )-(?= |$)/g;

const number =
  /^[-+]?\d+(?:\.\d+)*(?:e[-+]?\d+)?((?:[KMGTP]i?[Bb]?|[Bb]|ms|[u\u00b5]s|ns|[smhdCx]|[kMG]?Hz)?%?)$/;
/** What may differ between two numbers of the same kind. */
const units =
  '(?:[kKMGTP]i?B|B|bytes?|ms|us|µs|ns|s|secs?|seconds?|mins?|minutes?|hours?|hrs?|days?|[kMG]?Hz)';
/** Not the number of `took:5 ms`. */
const port = new RegExp(`:\\d{1,5}(?![\\w:.]| ${units}\\b)`, 'y');
const unit = new RegExp(`^${units}$`);
/** The signs of values as they are in a text, with their units. */
export const signs = new RegExp(
  `<n>(?: ${units}\\b)?|<(?:id|time|address|path|url|email|text|value)>`,
  'g',
);
/** Behind `<`, which is no path. */
const endTag = lazyRegExp(String.raw`^/\p{L}[\p{L}\d-]*$`, 'u');
const letter = lazyRegExp(String.raw`\p{L}`, 'u');
const letterOrDigit = lazyRegExp(String.raw`[\p{L}\p{N}]`, 'u');
const onlyLetters = lazyRegExp(String.raw`^\p{L}+$`, 'u');
const twoWords = lazyRegExp(String.raw`^\p{L}+/\p{L}+$`, 'u');
/** From a letter to a digit or back. */
const turn = lazyRegExp(String.raw`\d(?=\p{L})|\p{L}(?=\d)`, 'gu');
const dotted4 = /^\/?\d{1,3}(?:\.\d{1,3}){3}/;
const uuid = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;
const email = /^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/;

/** A position in a text that is read once, from left to right. */
class Reader {
  readonly message: { gaps: string[]; slots: Slot[] } = { gaps: [''], slots: [] };
  private readonly text: string;
  private at = 0;
  /** Whether it is the line of an access log. */
  private isAccess = false;

  constructor(text: string) {
    this.text = text;
  }

  read(): SlottedMessage {
    const { slots } = this.message;
    while (this.at < this.text.length) {
      if (slots.length >= maxSlots) {
        // A list that goes on is the same as a shorter one.
        if (!endsInList(this.message)) this.gap('…');
        break;
      }
      const character = this.text.charAt(this.at);
      if (character === ' ' || /\s/.test(character)) {
        this.at++;
        if (!this.before().endsWith(' ')) this.gap(' ');
      } else if (!delimiters.has(character)) this.word();
      else if (!this.quoted(character) && !this.isLess(character)) {
        this.at++;
        this.gap(character);
      }
    }
    return this.isAccess ? withNothing(this.message) : this.message;
  }

  private before(): string {
    return this.message.gaps.at(-1) ?? '';
  }

  private gap(text: string): void {
    const { gaps } = this.message;
    gaps[gaps.length - 1] = this.before() + text;
  }

  private slot(slot: Slot): void {
    const { gaps, slots } = this.message;
    slots.push(slot);
    gaps.push('');
  }

  /** What a pattern finds here. */
  private match(pattern: RegExp, at = this.at): RegExpExecArray | null {
    pattern.lastIndex = at;
    return pattern.exec(this.text);
  }

  /** A value that a pattern finds here. */
  private value(pattern: RegExp, slot: Slot): boolean {
    const found = this.match(pattern);
    if (found === null) return false;
    this.at += found[0].length;
    this.slot(slot);
    return true;
  }

  /** `<1 sec`: less than a number is one. */
  private isLess(character: string): boolean {
    if (character !== '<' || !this.before().endsWith(' ')) return false;
    if (!/\d/.test(this.text.charAt(this.at + 1))) return false;
    this.at++;
    this.word();
    return true;
  }

  private quoted(quote: string): boolean {
    if (quote !== '"' && quote !== "'" && quote !== '`') return false;
    // Not an apostrophe within a word, such as that of "can't".
    const isApostrophe = (index: number): boolean =>
      quote === "'" && /\w/.test(this.text.charAt(index));
    if (isApostrophe(this.at - 1)) return false;
    const last = Math.min(this.text.length, this.at + longestQuoted);
    for (let end = this.at + 1; end < last; end++) {
      const character = this.text[end];
      if (character === '\\' && quote === '"') end++;
      else if (character === quote && !isApostrophe(end + 1)) {
        if (this.match(request, this.at + 1) !== null) return false;
        this.at = end + 1;
        this.slot(values.text);
        return true;
      } else if (character === quote && quote === "'") return false;
    }
    return false;
  }

  private word(): void {
    const word = this.match(wordCharacters)?.[0] ?? this.text.charAt(this.at);
    const end = this.at + word.length;
    const next = this.text[end];
    if (next !== ':' && plainWord.test(word) && !dateWord.test(word)) {
      // Most are.
      if (next === ' ' && this.request()) return;
      this.at = end;
      this.addWord(word);
      this.addOwnNumber();
      return;
    }
    if (next === ':') {
      if (this.text.startsWith('//', end + 1) && this.value(url, values.url)) return;
      if (word.length === 1 && this.value(drivePath, values.path)) return;
      if (word.length <= 4 && this.value(colonAddress, values.address)) return;
    }
    if (/^\d/.test(word) && this.value(version, values.id)) return;
    if (/^\d|^[A-Z][a-z]{2},?$/.test(word) && this.value(time, values.time)) return;
    this.at = end;
    const core = word.replace(/^[*!?~^#]+|[*.!?\u2026-]+$/g, '');
    if (!letterOrDigit().test(core)) {
      this.gap(word);
      return;
    }
    const start = word.indexOf(core);
    const after = word.slice(start + core.length);
    const isNamed = core.includes('.') && !isHost(core);
    const digits = next === ':' && core === word ? this.match(isNamed ? amount : port) : null;
    if (digits === null) {
      this.addWord(core, word.slice(0, start));
      if (after === '') this.addOwnNumber();
    } else {
      this.at += digits[0].length;
      if (isNamed) this.slot({ text: `${core}:<n>`, kind: 'name' });
      else if (isHost(core)) this.slot(hasPath(core) ? values.path : values.address);
      else this.slot({ text: `${core}:<n>`, kind: 'word' });
    }
    this.gap(after);
  }

  private request(): boolean {
    const found = this.match(request);
    if (found === null) return false;
    const isQuoted = this.before().endsWith('"');
    const [whole, method = '', version = ''] = found;
    this.at += whole.length;
    this.slot({ text: method, kind: 'word' });
    this.gap(' ');
    this.slot(values.path);
    if (version !== '') {
      this.gap(' HTTP/');
      this.slot(values.n);
    }
    // It begins no other text in quotes.
    if (this.text[this.at] === '"' && isQuoted) {
      this.at++;
      this.gap('"');
      this.isAccess = version !== '';
    }
    return true;
  }

  /** @param marks what is in front of it: `#7` is a value where others have a word. */
  private addWord(word: string, marks = ''): void {
    const { gaps, slots } = this.message;
    const isEndTag = this.before().endsWith('<') && endTag().test(word);
    const slot: Slot = isEndTag ? { text: word, kind: 'word' } : slotOf(word);
    const previous = slots.at(-1);
    // A number of KB in one record is one of MB in the next.
    if (
      previous?.text.endsWith('<n>') === true &&
      previous.kind === 'value' &&
      this.before() === ' ' &&
      unit.test(word)
    ) {
      gaps[gaps.length - 1] = '';
      slots[slots.length - 1] = { text: `${previous.text} ${word}`, kind: 'value' };
    } else if (slot.kind !== 'word' && marks !== '') {
      this.slot({ text: `${marks}${slot.text}`, kind: slot.kind });
    } else {
      this.gap(marks);
      this.slot(slot);
    }
  }

  /** Adds the number in brackets that a word has to its slot: `LOCAL(0)` is where others have an address. */
  private addOwnNumber(): void {
    const { slots } = this.message;
    const slot = slots.at(-1);
    if (slot === undefined || slot.kind === 'value' || !'([{'.includes(this.text[this.at] ?? ' '))
      return;
    const found = this.match(ownNumber)?.[0];
    if (found === undefined) return;
    this.at += found.length;
    const text = `${slot.text}${found.charAt(0)}<n>${found.slice(-1)}`;
    slots[slots.length - 1] = { text, kind: slot.kind };
  }
}

function isHost(word: string): boolean {
  return (
    /[\d/\\-]/.test(word) ||
    word === 'localhost' ||
    (/\.[^.]+\./.test(word) && !/[a-z][A-Z]/.test(word))
  );
}

function hasPath(word: string): boolean {
  return /[/\\]/.test(word) && !/\d{1,3}(?:\.\d{1,3}){3}/.test(word);
}

function slotOf(word: string): Slot {
  if (onlyLetters().test(word) && word.length <= longestWord && !/^[\da-f]{8,}$/i.test(word)) {
    return { text: word, kind: 'word' };
  }
  const [isNumber, ending] = number.exec(word) ?? [];
  if (isNumber !== undefined) {
    if (dotted4.test(word)) return values.address;
    return ending === '' ? values.n : { text: `<n>${ending ?? ''}`, kind: 'value' };
  }
  if (/[/\\]/.test(word)) {
    if (dotted4.test(word)) return values.address;
    // `read/write` is no path.
    return twoWords().test(word) ? { text: word, kind: 'word' } : values.path;
  }
  if (email.test(word)) return values.email;
  if (/\d/.test(word)) return slotWithDigits(word);
  if (isLong(word) || /^[\da-f]{8,}$/i.test(word)) return values.id;
  // Which error or constant it is (`app.screen.TURNED_ON`) says what happened.
  const saysIt = errorName.test(word) || /[a-z]\.[A-Z_]{2,}$/.test(word);
  const isName = !saysIt && /[^.]\.[^.]+\.[^.]/.test(word);
  return { text: word, kind: isName ? 'name' : 'word' };
}

function isLong(word: string): boolean {
  return word.length > (word.includes('.') ? longestName : longestWord);
}

function slotWithDigits(word: string): Slot {
  if (isLong(word) || uuid.test(word) || /^[\da-f]{6,}$/i.test(word)) return values.id;
  if (/^0x[\da-f]+$/i.test(word) || /@(?:0x)?[\da-f]{4,}$/.test(word)) return values.id;
  // Letters and digits in turn are a key, not a name with a number.
  const turns = word.match(turn())?.length ?? 0;
  if (turns > 2) return values.id;
  if (!letter().test(word)) return values.n;
  const text = word.replace(/(?<=_)-?\d+(?:[.-]\d+)*|\d+(?:[.-]\d+)*/g, '<n>');
  // `SOCKS5` is a protocol, not one of many of a kind.
  return { text, kind: /^[A-Z]{2,}\d$/.test(word) ? 'word' : 'name' };
}

/**
 * A value that is missing: after `=`, or within brackets that do not call a function. At the end of a gap there is
 * one only if the message ends there.
 */
const missing = /(?<==)(?=[ ,;)\]}]|$)|(?<=[ =:]\()(?=\))|(?<=[ =:]\[)(?=\])|(?<=[ =:]\{)(?=\})/g;

/** A value that an access log does not have. */
const none = value('value');

/** Makes a slot of each sign for nothing. */
function withNothing(message: SlottedMessage): SlottedMessage {
  const gaps: string[] = [];
  const slots: Slot[] = [];
  for (const [index, gap] of message.gaps.entries()) {
    const [start = '', ...others] = gap.split(nothing);
    gaps.push(start);
    for (const other of others) {
      slots.push(none);
      gaps.push(other);
    }
    const next = message.slots[index];
    if (next !== undefined) slots.push(next);
  }
  return { gaps, slots };
}

/** Adds a slot where a value is missing: it is there in other records. */
function withMissingValues(message: SlottedMessage): SlottedMessage {
  const mayMiss = /=(?:[ ,;)\]}]|$)|[ =:](?:\(\)|\[\]|\{\})/;
  if (!message.gaps.some((gap) => gap !== ' ' && gap !== '' && mayMiss.test(gap))) return message;
  const gaps: string[] = [];
  const slots: Slot[] = [];
  for (const [index, gap] of message.gaps.entries()) {
    const next = message.slots[index];
    // `key = value` has its value behind the space, unless that is the next key.
    const isAhead =
      next !== undefined && gap.endsWith('= ') && !/^ ?=/.test(message.gaps[index + 1] ?? '');
    let from = 0;
    for (const { index: at } of gap.matchAll(missing)) {
      if (slots.length >= maxSlots) break;
      if (next !== undefined && at === gap.length) continue;
      if (isAhead && at === gap.length - 1) continue;
      gaps.push(gap.slice(from, at));
      slots.push(values.value);
      from = at;
    }
    gaps.push(gap.slice(from));
    if (next !== undefined) slots.push(next);
  }
  return { gaps, slots };
}

/** The longest part of a list that is repeated, in slots. */
const longestUnit = 4;
/** What is between the values of a list. */
const separator = /^(?: ?[,;|/#-]{0,2} ?)$/;

/** Whether two slots may be of the same list. */
function isAlike(a: Slot | undefined, b: Slot | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  return isNumberOrNone(a, b) || joinedSlot(a, b) !== values.value;
}

const numberSign = /^[*!?~^#]*<n>/;

/** Whether one is a number, and the other one the place of a number that is not there. */
function isNumberOrNone(a: Pick<Slot, 'text'>, b: Pick<Slot, 'text'>): boolean {
  return (a === none && isNumber(b)) || (b === none && isNumber(a));
}

function isNumber({ text }: Pick<Slot, 'text'>): boolean {
  return numberSign.test(text);
}

/** What stands for two slots: a number for numbers with other units, an id for it and a number, or any value. */
export function joinedSlot<T extends Pick<Slot, 'text'>>(a: T, b: T): T | Slot {
  if (a.text === b.text) return a;
  if (isNumber(a) && isNumber(b)) return values.n;
  if (isNumberOrNone(a, b)) return none;
  const isId = (slot: T): boolean => slot.text === values.id.text || isNumber(slot);
  return isId(a) && isId(b) ? values.id : values.value;
}

/** Makes one slot of a list of values, and one unit of units with values that are repeated. */
function withoutRepetitions({ gaps, slots }: SlottedMessage): SlottedMessage {
  for (let size = 1; size <= longestUnit; size++) {
    for (let start = 0; start + 2 * size <= slots.length;) {
      if (isRepeated({ gaps, slots }, start, size)) {
        for (const [index, slot] of slots.splice(start + size, size).entries()) {
          slots[start + index] = joinedSlot(slots[start + index] ?? slot, slot);
        }
        gaps.splice(start + size, size);
      } else start++;
    }
  }
  return { gaps, slots };
}

/** Whether a unit of some slots is there twice in turn. */
function isRepeated({ gaps, slots }: SlottedMessage, start: number, size: number): boolean {
  if (size === 1 && !separator.test(gaps[start + 1] ?? '')) return false;
  let varies = false;
  for (let index = start; index < start + size; index++) {
    if (!isAlike(slots[index], slots[index + size])) return false;
    if (index > start && gaps[index] !== gaps[index + size]) return false;
    // `seg:7` is a word with a number.
    const { kind, text } = slots[index] ?? values.n;
    varies ||= kind !== 'word' || text.includes('<n>');
  }
  return varies;
}

/** Whether the last slots are of a list. */
function endsInList(message: SlottedMessage): boolean {
  return isRepeated(message, message.slots.length - 2, 1);
}

/**
 * Makes an amount in brackets an aside of what is before it: `1190 ms (1.2 s)`, `full (95%)`. Without a unit it is one
 * only behind another number: others may have a word in its place.
 */
function withAsides({ gaps, slots }: SlottedMessage): SlottedMessage {
  for (let index = 1; index < slots.length; index++) {
    const [slot, other] = [slots[index - 1], slots[index]];
    const [before, after] = [gaps[index], gaps[index + 1]];
    if (before !== ' (' || after?.startsWith(')') !== true) continue;
    if (slot === undefined || other?.kind !== 'value' || !isNumber(other)) continue;
    if (other === values.n && !isNumber(slot)) continue;
    slots.splice(index - 1, 2, { ...slot, aside: ` (${other.text})` });
    gaps.splice(index, 2, after.slice(1));
  }
  return { gaps, slots };
}

/**
 * Splits a message into words and values: numbers with their units, ids, times, addresses, paths, URLs, quoted
 * texts, and places where a value is missing. Lists of values are one. Takes time for at most 1,000 UTF-16 units.
 *
 * @param text one line, untrusted.
 */
export function readSlots(text: string): SlottedMessage {
  const message = new Reader(withoutPart(text).trim()).read();
  return withAsides(withoutRepetitions(withMissingValues(message)));
}

/** What is read of a text: not a part of a word, which would be another one. */
function withoutPart(text: string): string {
  if (text.length <= maxRead) return text;
  const end = text.lastIndexOf(' ', maxRead);
  return text.slice(0, end < maxRead - longestName ? maxRead : end);
}

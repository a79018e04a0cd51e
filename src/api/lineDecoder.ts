/** Turns bytes into text, line by line. */
export interface LineDecoder {
  /**
   * The lines that these bytes complete; a line feed, a carriage return or both end each of them, and
   * the text never ends with a return alone.
   */
  decode(bytes: Uint8Array): string;
  /** How many bytes are held of a line that has not ended. */
  readonly held: number;
}

const lineFeed = 10;
const carriageReturn = 13;

/**
 * Decodes whole lines only. Their ends are never in the middle of a character, so the decoder need
 * not remember anything from chunk to chunk, which makes it several times as fast in Node up to 22,
 * and whoever reads the lines need not piece them together.
 */
export function createLineDecoder(): LineDecoder {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let pieces: Uint8Array[] = [];
  let held = 0;
  let isFirst = true;
  let endedInReturn = false;

  const hold = (piece: Uint8Array): void => {
    if (piece.length === 0) return;
    pieces.push(piece);
    held += piece.length;
  };

  /** What is held, in one. */
  const release = (): Uint8Array => {
    const [first] = pieces;
    let whole = first ?? new Uint8Array();
    if (pieces.length > 1) {
      whole = new Uint8Array(held);
      let at = 0;
      for (const piece of pieces) {
        whole.set(piece, at);
        at += piece.length;
      }
    }
    pieces = [];
    held = 0;
    return whole;
  };

  return {
    decode(bytes) {
      // The return before has ended its line; this is the other half of its end.
      const start = endedInReturn && bytes[0] === lineFeed ? 1 : 0;
      if (bytes.length > 0) endedInReturn = false;
      const end = endOfLines(bytes, start);
      if (end === start) {
        hold(bytes.subarray(start));
        return '';
      }
      hold(bytes.subarray(start, end));
      let text = decoder.decode(release());
      hold(bytes.subarray(end));
      if (isFirst && text.startsWith('\ufeff')) text = text.slice(1);
      isFirst = false;
      if (bytes[end - 1] !== carriageReturn) return text;
      endedInReturn = end === bytes.length;
      return `${text}\n`;
    },
    get held() {
      return held;
    },
  };
}

/** Where the last line that these bytes complete has its end; `start` where there is none. */
function endOfLines(bytes: Uint8Array, start: number): number {
  for (let end = bytes.length; end > start; end--) {
    const byte = bytes[end - 1];
    if (byte === lineFeed || byte === carriageReturn) return end;
  }
  return start;
}

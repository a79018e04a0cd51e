import fc from 'fast-check';

/** Any UTF-16 text, a unit at a time, so that lone surrogates are as likely as pairs. */
export function anyText(maxLength: number, minLength = 0): fc.Arbitrary<string> {
  const unit = fc.oneof(
    fc.integer({ min: 0, max: 0x1ff }),
    fc.integer({ min: 0, max: 0xffff }),
    fc.constantFrom(9, 10, 13, 0x1b, 0x22, 0x5c, 0x202e, 0x200d, 0xfe0f, 0xd83d, 0xde00, 0xdb40),
  );
  return fc.array(unit, { minLength, maxLength }).map((units) => String.fromCharCode(...units));
}

import type { Validator } from '../api/generated/validators';

/** What a validator lets through. */
export type Validated<V> = V extends Validator<infer T> ? T : never;

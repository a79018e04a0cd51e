import * as fc from 'fast-check';
import { isLong } from './long';

// The same inputs each time, so that a failing test fails again. A full run has random ones;
// fast-check prints the seed of a failure.
if (!isLong) fc.configureGlobal({ seed: 20_261_120 });

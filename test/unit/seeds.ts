import * as fc from 'fast-check';
import { isLong } from './long';

// The same inputs each time: a test that fails does so again. In full each run has its own, which
// fast-check names where one fails.
if (!isLong) fc.configureGlobal({ seed: 20_261_120 });

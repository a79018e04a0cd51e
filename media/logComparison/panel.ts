import type {
  ComparisonAnswers,
  ComparisonRequest,
  ComparisonState,
  ToComparison,
} from '../../src/logs/explorer/protocol/comparisonMessages';
import type { PanelOf } from '../logExplorer/panel';

/** The panel of the page. */
export type ComparisonHost = PanelOf<{
  readonly request: ComparisonRequest;
  readonly answers: ComparisonAnswers;
  readonly message: Exclude<ToComparison, { kind: 'answer' | 'refusal' }>;
  readonly state: ComparisonState;
}>;

/** Sends a request without an answer; the page shows why it is refused. */
export type Act = <Kind extends ComparisonRequest['kind']>(
  kind: Kind,
  rest: Omit<Extract<ComparisonRequest, { readonly kind: Kind }>, 'kind'>,
) => void;

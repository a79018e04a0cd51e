import { html, nothing, type TemplateResult } from 'lit';
import type { BuilderCondition, QueryModel } from '../../src/logs/explorer/protocol/messages';
import type { StringId } from '../../src/logs/explorer/ui/pageStrings';
import { PagePart } from './pagePart';
import type { PageContext } from './pageQuery';
import { type Option, selectTemplate } from './select';

/** What a condition can be made of. */
export interface Offered {
  readonly fields: readonly string[];
  readonly operators: readonly string[];
}

export const builderId = 'builder';

/** The condition builder, which edits the conditions of the query. It says `toggle` when it opens or closes. */
export class ConditionBuilder extends PagePart {
  static override readonly properties = {
    isOpen: { attribute: false },
    rows: { state: true },
    match: { state: true },
  };

  declare isOpen: boolean;
  /** What is in the inputs. */
  declare private rows: readonly ConditionRow[];
  declare private match: QueryModel['match'];
  /** The rows at the last change; later typing is not included yet. */
  private lastRows: readonly ConditionRow[] = [];
  private changes = 0;
  /** What had the focus when it opened. */
  private opener: Element | null = null;

  constructor(
    private readonly context: PageContext,
    private readonly offered: Offered,
  ) {
    super();
    this.isOpen = false;
    this.rows = [];
    this.match = 'and';
    context.search.onChange(() => this.read());
    this.read();
  }

  toggle(): void {
    this.isOpen = !this.isOpen;
    this.dispatchEvent(new Event('toggle'));
    if (!this.isOpen) return;
    this.opener = document.activeElement;
    if (this.rows.length === 0) this.addRow();
    void this.focusOn('select');
  }

  protected override render(): TemplateResult {
    const { strings } = this.context;
    const label = strings('builder.match');
    const matches = [
      { value: 'and', label: strings('builder.matchAnd') },
      { value: 'or', label: strings('builder.matchOr') },
    ];
    const choose = (value: string): void => {
      this.match = value === 'or' ? 'or' : 'and';
      void this.change('edit');
    };
    const add = (): void => {
      this.addRow();
      void this.focusOn('.condition:last-child select');
    };
    return html`<div
      class="builder"
      id=${builderId}
      role="group"
      aria-label=${strings('builder.label')}
      ?hidden=${!this.isOpen}
    >
      <div class="match">
        <span aria-hidden="true">${label}</span>
        ${selectTemplate(label, matches, this.match, choose)}
      </div>
      <div class="conditions">${this.rows.map((row, index) => this.condition(row, index))}</div>
      <vscode-button secondary @click=${add}>${strings('builder.add')}</vscode-button>
    </div>`;
  }

  private condition({ field, name, operator, value }: ConditionRow, index: number): TemplateResult {
    const { strings } = this.context;
    const { fields, operators } = this.offered;
    const set = (part: Partial<ConditionRow>): void => {
      this.rows = this.rows.map((row, at) => (at === index ? { ...row, ...part } : row));
    };
    const choose = (part: Partial<ConditionRow>): void => {
      set(part);
      void this.change('edit');
    };
    return html`<div
      class="condition"
      role="group"
      aria-label=${strings('builder.row', index + 1)}
      @keydown=${(event: KeyboardEvent) => this.press(event)}
    >
      <span class="joined">${index === 0 ? '' : strings(`chips.${this.match}`)}</span>
      ${selectTemplate(
        strings('builder.field'),
        optionsWith(field, fields, (one) => one),
        field,
        (chosen) => choose({ field: chosen }),
      )}
      ${
        field === attribute
          ? this.input(strings('builder.attribute'), name, (typed) => set({ name: typed }))
          : nothing
      }
      ${selectTemplate(
        strings('builder.operator'),
        optionsWith(operator, operators, (one) => {
          const id = operatorLabels[one];
          return id === undefined ? one : strings(id);
        }),
        operator,
        (chosen) => choose({ operator: chosen }),
      )}
      ${
        needsValue(operator)
          ? this.input(strings('builder.value'), value, (typed) => set({ value: typed }))
          : nothing
      }
      <button
        class="remove codicon codicon-close"
        type="button"
        aria-label=${strings('builder.remove', index + 1)}
        @click=${() => this.removeRow(index)}
      ></button>
    </div>`;
  }

  private input(label: string, text: string, onInput: (text: string) => void): TemplateResult {
    const typed = ({ currentTarget }: Event): void => {
      if (currentTarget instanceof HTMLInputElement) onInput(currentTarget.value);
    };
    return html`<input
      class="text"
      type="text"
      aria-label=${label}
      placeholder=${label}
      spellcheck="false"
      maxlength="8192"
      .value=${text}
      @input=${typed}
      @change=${() => this.change('edit')}
    />`;
  }

  private press(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    void this.change('narrow');
  }

  private addRow(): void {
    const [field = '', operator = ''] = [this.offered.fields[0], this.offered.operators[0]];
    this.rows = [...this.rows, { field, name: '', operator, value: '' }];
  }

  private removeRow(index: number): void {
    this.rows = this.rows.filter((_, at) => at !== index);
    const next = Math.min(index + 1, this.rows.length);
    if (next > 0) void this.focusOn(`.condition:nth-child(${next}) select`);
    else if (this.opener instanceof HTMLElement) this.opener.focus();
    void this.change('edit');
  }

  /** Rows do not become those of the query for their own changes: the user may have typed more. */
  private async change(how: 'edit' | 'narrow'): Promise<void> {
    const { search } = this.context;
    const conditions = conditionsOf((this.lastRows = this.rows));
    const isNone = conditions.length === 0 && search.parsed.conditions.length === 0;
    if (how === 'edit' && isNone) return;
    this.changes++;
    await search[how]({ kind: 'conditions', match: this.match, conditions });
    this.changes--;
    if (this.changes === 0 && search.errors.length === 0) this.read();
  }

  private read(): void {
    if (this.changes > 0) return;
    const { conditions, match } = this.context.search.parsed;
    if (conditions.length > 1) this.match = match;
    if (!isSame(this.lastRows, conditions)) this.rows = this.lastRows = conditions.map(rowOf);
  }

  private async focusOn(selector: string): Promise<void> {
    await this.updateComplete;
    this.querySelector<HTMLElement>(selector)?.focus();
  }
}

/** The field for attributes, which have names. */
const attribute = 'attr';

/** A row of the builder. The name of an attribute has its own input. */
interface ConditionRow {
  readonly field: string;
  /** The name of an attribute, if the field is `attr`. */
  readonly name: string;
  readonly operator: string;
  readonly value: string;
}

function needsValue(operator: string): boolean {
  return !operator.endsWith('*');
}

export function rowOf({ field, operator, value }: BuilderCondition): ConditionRow {
  const prefix = `${attribute}.`;
  return field.startsWith(prefix)
    ? { field: attribute, name: field.slice(prefix.length), operator, value }
    : { field, name: '', operator, value };
}

export function conditionsOf(rows: readonly ConditionRow[]): BuilderCondition[] {
  return rows.filter(isComplete).map(({ field, name, operator, value }) => ({
    field: field === attribute ? `${attribute}.${name.trim()}` : field,
    operator,
    value: needsValue(operator) ? value : '',
  }));
}

function isComplete({ field, name, operator, value }: ConditionRow): boolean {
  if (field === attribute && name.trim() === '') return false;
  return !needsValue(operator) || value !== '';
}

/** Whether the rows have the conditions of the query, so that they need not be replaced. */
export function isSame(
  rows: readonly ConditionRow[],
  conditions: readonly BuilderCondition[],
): boolean {
  const current = conditionsOf(rows);
  return (
    current.length === conditions.length &&
    current.every((one, index) => {
      const other = conditions[index];
      return (
        one.field === other?.field &&
        one.operator === other.operator &&
        (!needsValue(one.operator) || one.value === other.value)
      );
    })
  );
}

const operatorLabels: Readonly<Record<string, StringId>> = {
  '=': 'operator.equals',
  '!=': 'operator.notEquals',
  '~': 'operator.contains',
  '!~': 'operator.notContains',
  '^=': 'operator.startsWith',
  '$=': 'operator.endsWith',
  ':*': 'operator.exists',
  '-:*': 'operator.notExists',
};

/** Options of these values, and of the value of the query if it is another one. */
function optionsWith(
  value: string,
  values: readonly string[],
  labelFor: (value: string) => string,
): readonly Option[] {
  const all = values.includes(value) ? values : [...values, value];
  return all.map((one) => ({ value: one, label: labelFor(one) }));
}

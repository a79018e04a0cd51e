import type { Group } from './conditions';
import {
  attributeField,
  attributePrefix,
  conditionFields,
  conditionOperators,
  existenceField,
  fieldNamed,
  fieldNames,
  timeFields,
  type TimeField,
} from './fields';
import { existence, isExistence, isMissing, readExistence, readSigned } from './readCondition';
import { partsOf, report, type Reading } from './parseState';
import { readValues, type FieldTerm } from './readValues';

/** Reads a field into the draft, or answers with the conditions that it stands for. */
export function readField(reading: Reading, term: FieldTerm): Group | undefined {
  const { field, values } = term;
  const { operator } = field;
  const name = field.name.toLowerCase();
  if (name === attributeField) return readAttribute(reading, term);

  const hasKey = field.key !== undefined;
  const time = timeFields.find((one) => one === name);
  const known = fieldNamed(name);
  if (hasKey || (known === undefined && time === undefined && name !== existenceField)) {
    report(reading, field, { kind: 'unknownField', field: field.name }, fieldNames);
  } else if (known?.condition !== undefined && operator !== ':') {
    const { condition, names, exact } = known;
    const subject = { label: known.name, condition, ...(names && !exact ? { names } : {}) };
    return readSigned(reading, field, subject, values[0], [':', ...conditionOperators]);
  } else if (operator !== ':') {
    report(reading, field, { kind: 'operator', field: name, operator }, [':']);
  } else if (known !== undefined) return readValues(reading, term, known);
  else if (time !== undefined) readTime(reading, term, time);
  else return readExistence(reading, field, values);
  return undefined;
}

function readAttribute(reading: Reading, term: FieldTerm): Group | undefined {
  const { field, values, strict } = term;
  const { key, operator, negated } = field;
  const [value] = values;
  if (key === undefined || key.text === '') {
    report(reading, field, { kind: 'missingAttribute' });
    return undefined;
  }
  const label = `${attributeField}.${key.text}`;
  const subject = { label, condition: `${attributePrefix}${key.text}` };
  if (isExistence(field, values)) return existence(subject, field, term);
  const isPlain = (operator === '=' || operator === '~') && !strict && !negated;
  if (!isPlain || isMissing(value)) {
    return readSigned(reading, field, subject, value, conditionOperators);
  }
  const filter = { key: key.text, value: value.text };
  partsOf(reading, 'attributes').push({
    field: label,
    // `equals` is what the contract takes where there is none.
    value: operator === '=' ? filter : { ...filter, operator: 'contains' },
    start: field.start,
    end: value.end,
  });
  return undefined;
}

function readTime(reading: Reading, { field, values, strict }: FieldTerm, time: TimeField): void {
  if (field.negated) report(reading, field, { kind: 'negation', field: time });
  else if (strict) report(reading, field, { kind: 'noCondition', field: time }, conditionFields);
  else {
    for (const { text, start, end } of values) {
      if (text === '') report(reading, field, { kind: 'missingValue', field: time });
      else reading.times.push({ field: time, text, start, end });
    }
  }
}

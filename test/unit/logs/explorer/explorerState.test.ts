import { assert } from 'chai';
import { searchedText } from '../../../../src/logs/explorer/explorerState';
import { sampleRecord } from '../sampleRecord';

describe('searched text of the Log Explorer', () => {
  const search = (text: string) => ({ filter: { search: text }, range: {} });

  it('is that of the query whose results are shown', () => {
    assert.equal(searchedText({ search: search('no price'), context: undefined }), 'no price');
    assert.isUndefined(searchedText({ search: search(''), context: undefined }));
    assert.isUndefined(searchedText({ search: undefined, context: undefined }));
  });

  it('is none in the context of a record, which is not what was searched for', () => {
    assert.isUndefined(searchedText({ search: search('no price'), context: sampleRecord({}) }));
  });
});

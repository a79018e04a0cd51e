import '@vscode-elements/elements/dist/vscode-button/index.js';
import '../logExplorer/base.css';
import './comparison.css';
import { ComparisonPage } from './page';
import { ComparisonTable } from './table';

customElements.define('comparison-table', ComparisonTable);
new ComparisonPage(document.getElementById('page') ?? document.body);

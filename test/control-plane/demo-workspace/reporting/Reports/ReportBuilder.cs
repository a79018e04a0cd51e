using System;
using System.Collections.Generic;
using System.Linq;

namespace Reporting;

public sealed record Row(DateOnly Day, decimal Revenue);

/// <summary>Builds the figures for the back office.</summary>
public sealed class ReportBuilder
{
    public decimal BestDay(IEnumerable<Row> rows) =>
        rows.Max(row => row.Revenue);

    public string Build(string title, IReadOnlyList<Row> rows)
    {
        var best = BestDay(rows);
        return $"{title}: best day {best:N2}";
    }
}

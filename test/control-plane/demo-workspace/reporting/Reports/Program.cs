using System;
using System.Collections.Generic;
using Reporting;

var builder = new ReportBuilder();
var rows = new List<Row>();
Console.WriteLine(builder.Build("Week", rows));

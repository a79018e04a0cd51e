/** Names in lower case that are separated by white space, in order. */
export function nameSet(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

/**
 * What loggers call the parts of a record: paths of members in lower case, the most important first. A shape that is not
 * known yet is one more name, or one more line of `placeNames`.
 */
export const bodyNames = {
  message: nameSet(`
    message msg @message @m renderedmessage @mt messagetemplate event body text log short_message error
    err error.message err.message exception.message message.errormessage errormessage 0
  `),
  /** Those that are the message wherever something else is, too. */
  ownMessage: nameSet('message msg @message @m renderedmessage @mt messagetemplate'),
  /** Messages with holes. */
  template: nameSet('@mt messagetemplate'),
  /** A message that was made of a template. */
  rendered: nameSet('@m renderedmessage message'),
  time: nameSet(`
    time timestamp @timestamp ts @t t asctime datetime date eventtime timeunixnano
    observedtimeunixnano observedtimestamp observed_timestamp timemillis t.$date instant.epochsecond
    instant.nanoofsecond time.repr time.timestamp __realtime_timestamp syslog_timestamp start_time
  `),
  level: nameSet(`
    level lvl severity levelname level_name @l log.level loglevel levelno l severitytext
    severity_text severitynumber severity_number s level.name level.no level.icon @level log_level
    loglevelname error_severity
  `),
  /** Levels as numbers of syslog, from 0 (emergency) to 7 (debug). */
  syslogLevel: nameSet('priority syslog.severity log.syslog.severity.code'),
  stack: nameSet(`
    stack stacktrace stack_trace stacktracestring extendedstacktrace @x exception exc_info exc_text
    errorverbose traceback backtrace frames trace error_stack error_stack_trace
    full_message
  `),
  /** Objects with an error. */
  error: nameSet(`
    err error exception exc thrown throwable cause causedby caused_by inner innerexception previous
  `),
  errorType: nameSet('type name class exc_type exceptiontype kind'),
  errorMessage: nameSet('message exc_value msg value description'),
  cause: nameSet('cause causedby caused_by inner innerexception previous'),
  frameFunction: nameSet('func function method methodname name'),
  frameClass: nameSet('class classname module'),
  frameFile: nameSet('file filename path abs_path source'),
  frameLine: nameSet('line lineno linenumber line_number'),
  frameColumn: nameSet('column colno col'),
  /** What is in each record of a logger and says nothing about it. */
  constant: nameSet(`
    pid hostname v @version level_value ecs.version @i @r flags process.pid traceflags trace_flags
    stack_info taskname {originalformat} endofbatch loggerfqcn threadpriority commonelementcount
  `),
} as const;

/** Objects that loggers put members into which others have at the top. */
export const holders = nameSet(
  'fields record context state properties attributes extra attr jsonpayload _meta',
);

/** A name without the holder that precedes it. */
export function withoutHolder(name: string): string {
  const end = name.indexOf('.');
  return end > 0 && holders.has(name.slice(0, end).toLowerCase()) ? name.slice(end + 1) : name;
}

/** What loggers call the parts of a request and its response: paths of members in lower case. */
export const httpNames = {
  /** All of its first line, such as `GET /cart HTTP/1.1`. */
  request: nameSet('request requestline'),
  method: nameSet(`
    req.method request.method http.request.method httprequest.requestmethod payload.method
    request_method requestmethod http_method http.method method
  `),
  path: nameSet(`
    req.url request.url request.path request.uri url.path url.original httprequest.requesturl payload.path
    request_uri requesturi requestpath request_path path url uri http.target http.path http.url http.route
    url.full
  `),
  status: nameSet(`
    res.statuscode response.status http.response.status_code httprequest.status payload.status
    downstreamstatus status statuscode status_code http.status_code http_status response_code
  `),
  duration: nameSet('responsetime duration duration_ms elapsed_ms latency_ms'),
} as const;

/** Where code logged a record: file, line, and if there are any, column and class. */
export const placeNames: readonly (readonly string[])[] = [
  'source.file source.line source.column source.class',
  'code.file.path code.line.number code.column.number',
  'code.filepath code.lineno code.column code.namespace',
  'pathname lineno',
  'filename lineno',
  'filename line_number',
  'log.origin.file.name log.origin.file.line',
  'log.file log.line',
  'caller_file_name caller_line_number caller_column caller_class_name',
  'sourcefilename sourcelinenumber sourcecolumn sourceclassname',
  'callerfilepath callerlinenumber',
  'sourcefile linenumber',
  'filepath linenumber',
  'file_path line',
  'file.path line',
  'src.file src.line',
  'caller.file caller.line',
  'path.filepath path.fileline path.filecolumn',
  'origin.file origin.line',
  'location.file location.line',
  'sourcelocation.file sourcelocation.line',
  'logging.googleapis.com/sourcelocation.file logging.googleapis.com/sourcelocation.line',
  'code_file code_line',
  'file line column class',
].map((line) => line.split(' '));

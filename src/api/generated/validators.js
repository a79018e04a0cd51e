// Generated from src/api/openapi.json by `npm run generate`. Do not edit.
var __getOwnPropNames = Object.getOwnPropertyNames;
var __commonJS = (cb, mod) => function __require() {
  try {
    return mod || (0, cb[__getOwnPropNames(cb)[0]])((mod = { exports: {} }).exports, mod), mod.exports;
  } catch (e) {
    throw mod = 0, e;
  }
};

// node_modules/ajv/dist/runtime/ucs2length.js
var require_ucs2length = __commonJS({
  "node_modules/ajv/dist/runtime/ucs2length.js"(exports) {
    "use strict";
    Object.defineProperty(exports, "__esModule", { value: true });
    function ucs2length(str) {
      const len = str.length;
      let length = 0;
      let pos = 0;
      let value;
      while (pos < len) {
        length++;
        value = str.charCodeAt(pos++);
        if (value >= 55296 && value <= 56319 && pos < len) {
          value = str.charCodeAt(pos);
          if ((value & 64512) === 56320)
            pos++;
        }
      }
      return length;
    }
    exports.default = ucs2length;
    ucs2length.code = 'require("ajv/dist/runtime/ucs2length").default';
  }
});

// <stdin>
var LogPage = validate52;
var schema19 = { "type": "object", "required": ["accessRevision", "followCursor", "records", "nextCursor", "hasMore", "partial", "snapshotAt"], "properties": { "accessRevision": { "type": "string" }, "followCursor": { "type": "string" }, "records": { "type": "array", "items": { "$ref": "LogRecord" } }, "nextCursor": { "type": ["string", "null"] }, "hasMore": { "type": "boolean" }, "partial": { "type": "boolean" }, "snapshotAt": { "type": "string" } }, "$id": "LogPage" };
var schema20 = { "type": "object", "required": ["eventId", "timestamp", "ingestedAt", "serverId", "workloadId", "workloadName", "deploymentId", "previewId", "environment", "containerId", "service", "severity", "stream", "body", "attributes", "traceId", "spanId", "truncated"], "properties": { "eventId": { "type": "string" }, "timestamp": { "type": "string" }, "ingestedAt": { "type": "string" }, "serverId": { "type": "string" }, "workloadId": { "type": "string" }, "workloadName": { "type": "string" }, "deploymentId": { "type": ["string", "null"] }, "previewId": { "type": ["string", "null"] }, "environment": { "$ref": "LogEnvironment" }, "containerId": { "type": "string" }, "service": { "type": "string" }, "severity": { "$ref": "Severity" }, "stream": { "$ref": "LogStream" }, "body": { "type": "string" }, "attributes": { "type": "object", "additionalProperties": { "type": "string" } }, "traceId": { "type": ["string", "null"] }, "spanId": { "type": ["string", "null"] }, "truncated": { "type": "boolean" } }, "$id": "LogRecord" };
var schema21 = { "type": "string", "enum": ["production", "preview"], "$id": "LogEnvironment" };
function validate54(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (typeof data !== "string") {
    validate54.errors = [{ instancePath, keyword: "type", params: { type: "string" } }];
    return false;
  }
  if (!(data === "production" || data === "preview")) {
    validate54.errors = [{ instancePath, keyword: "enum", params: { allowedValues: schema21.enum } }];
    return false;
  }
  validate54.errors = vErrors;
  return errors === 0;
}
var schema22 = { "type": "string", "enum": ["trace", "debug", "info", "warn", "error", "fatal", "unknown"], "$id": "Severity" };
function validate56(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (typeof data !== "string") {
    validate56.errors = [{ instancePath, keyword: "type", params: { type: "string" } }];
    return false;
  }
  if (!(data === "trace" || data === "debug" || data === "info" || data === "warn" || data === "error" || data === "fatal" || data === "unknown")) {
    validate56.errors = [{ instancePath, keyword: "enum", params: { allowedValues: schema22.enum } }];
    return false;
  }
  validate56.errors = vErrors;
  return errors === 0;
}
var schema23 = { "type": "string", "enum": ["stdout", "stderr"], "$id": "LogStream" };
function validate58(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (typeof data !== "string") {
    validate58.errors = [{ instancePath, keyword: "type", params: { type: "string" } }];
    return false;
  }
  if (!(data === "stdout" || data === "stderr")) {
    validate58.errors = [{ instancePath, keyword: "enum", params: { allowedValues: schema23.enum } }];
    return false;
  }
  validate58.errors = vErrors;
  return errors === 0;
}
function validate53(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.eventId === void 0 && (missing0 = "eventId") || data.timestamp === void 0 && (missing0 = "timestamp") || data.ingestedAt === void 0 && (missing0 = "ingestedAt") || data.serverId === void 0 && (missing0 = "serverId") || data.workloadId === void 0 && (missing0 = "workloadId") || data.workloadName === void 0 && (missing0 = "workloadName") || data.deploymentId === void 0 && (missing0 = "deploymentId") || data.previewId === void 0 && (missing0 = "previewId") || data.environment === void 0 && (missing0 = "environment") || data.containerId === void 0 && (missing0 = "containerId") || data.service === void 0 && (missing0 = "service") || data.severity === void 0 && (missing0 = "severity") || data.stream === void 0 && (missing0 = "stream") || data.body === void 0 && (missing0 = "body") || data.attributes === void 0 && (missing0 = "attributes") || data.traceId === void 0 && (missing0 = "traceId") || data.spanId === void 0 && (missing0 = "spanId") || data.truncated === void 0 && (missing0 = "truncated")) {
        validate53.errors = [{ instancePath, keyword: "required", params: { missingProperty: missing0 } }];
        return false;
      } else {
        if (data.eventId !== void 0) {
          const _errs1 = errors;
          if (typeof data.eventId !== "string") {
            validate53.errors = [{ instancePath: instancePath + "/eventId", keyword: "type", params: { type: "string" } }];
            return false;
          }
          var valid0 = _errs1 === errors;
        } else {
          var valid0 = true;
        }
        if (valid0) {
          if (data.timestamp !== void 0) {
            const _errs3 = errors;
            if (typeof data.timestamp !== "string") {
              validate53.errors = [{ instancePath: instancePath + "/timestamp", keyword: "type", params: { type: "string" } }];
              return false;
            }
            var valid0 = _errs3 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.ingestedAt !== void 0) {
              const _errs5 = errors;
              if (typeof data.ingestedAt !== "string") {
                validate53.errors = [{ instancePath: instancePath + "/ingestedAt", keyword: "type", params: { type: "string" } }];
                return false;
              }
              var valid0 = _errs5 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.serverId !== void 0) {
                const _errs7 = errors;
                if (typeof data.serverId !== "string") {
                  validate53.errors = [{ instancePath: instancePath + "/serverId", keyword: "type", params: { type: "string" } }];
                  return false;
                }
                var valid0 = _errs7 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.workloadId !== void 0) {
                  const _errs9 = errors;
                  if (typeof data.workloadId !== "string") {
                    validate53.errors = [{ instancePath: instancePath + "/workloadId", keyword: "type", params: { type: "string" } }];
                    return false;
                  }
                  var valid0 = _errs9 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.workloadName !== void 0) {
                    const _errs11 = errors;
                    if (typeof data.workloadName !== "string") {
                      validate53.errors = [{ instancePath: instancePath + "/workloadName", keyword: "type", params: { type: "string" } }];
                      return false;
                    }
                    var valid0 = _errs11 === errors;
                  } else {
                    var valid0 = true;
                  }
                  if (valid0) {
                    if (data.deploymentId !== void 0) {
                      let data6 = data.deploymentId;
                      const _errs13 = errors;
                      if (typeof data6 !== "string" && data6 !== null) {
                        validate53.errors = [{ instancePath: instancePath + "/deploymentId", keyword: "type", params: { type: schema20.properties.deploymentId.type } }];
                        return false;
                      }
                      var valid0 = _errs13 === errors;
                    } else {
                      var valid0 = true;
                    }
                    if (valid0) {
                      if (data.previewId !== void 0) {
                        let data7 = data.previewId;
                        const _errs15 = errors;
                        if (typeof data7 !== "string" && data7 !== null) {
                          validate53.errors = [{ instancePath: instancePath + "/previewId", keyword: "type", params: { type: schema20.properties.previewId.type } }];
                          return false;
                        }
                        var valid0 = _errs15 === errors;
                      } else {
                        var valid0 = true;
                      }
                      if (valid0) {
                        if (data.environment !== void 0) {
                          const _errs17 = errors;
                          if (!validate54(data.environment, { instancePath: instancePath + "/environment", parentData: data, parentDataProperty: "environment", rootData, dynamicAnchors })) {
                            vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
                            errors = vErrors.length;
                          }
                          var valid0 = _errs17 === errors;
                        } else {
                          var valid0 = true;
                        }
                        if (valid0) {
                          if (data.containerId !== void 0) {
                            const _errs18 = errors;
                            if (typeof data.containerId !== "string") {
                              validate53.errors = [{ instancePath: instancePath + "/containerId", keyword: "type", params: { type: "string" } }];
                              return false;
                            }
                            var valid0 = _errs18 === errors;
                          } else {
                            var valid0 = true;
                          }
                          if (valid0) {
                            if (data.service !== void 0) {
                              const _errs20 = errors;
                              if (typeof data.service !== "string") {
                                validate53.errors = [{ instancePath: instancePath + "/service", keyword: "type", params: { type: "string" } }];
                                return false;
                              }
                              var valid0 = _errs20 === errors;
                            } else {
                              var valid0 = true;
                            }
                            if (valid0) {
                              if (data.severity !== void 0) {
                                const _errs22 = errors;
                                if (!validate56(data.severity, { instancePath: instancePath + "/severity", parentData: data, parentDataProperty: "severity", rootData, dynamicAnchors })) {
                                  vErrors = vErrors === null ? validate56.errors : vErrors.concat(validate56.errors);
                                  errors = vErrors.length;
                                }
                                var valid0 = _errs22 === errors;
                              } else {
                                var valid0 = true;
                              }
                              if (valid0) {
                                if (data.stream !== void 0) {
                                  const _errs23 = errors;
                                  if (!validate58(data.stream, { instancePath: instancePath + "/stream", parentData: data, parentDataProperty: "stream", rootData, dynamicAnchors })) {
                                    vErrors = vErrors === null ? validate58.errors : vErrors.concat(validate58.errors);
                                    errors = vErrors.length;
                                  }
                                  var valid0 = _errs23 === errors;
                                } else {
                                  var valid0 = true;
                                }
                                if (valid0) {
                                  if (data.body !== void 0) {
                                    const _errs24 = errors;
                                    if (typeof data.body !== "string") {
                                      validate53.errors = [{ instancePath: instancePath + "/body", keyword: "type", params: { type: "string" } }];
                                      return false;
                                    }
                                    var valid0 = _errs24 === errors;
                                  } else {
                                    var valid0 = true;
                                  }
                                  if (valid0) {
                                    if (data.attributes !== void 0) {
                                      let data14 = data.attributes;
                                      const _errs26 = errors;
                                      if (errors === _errs26) {
                                        if (data14 && typeof data14 == "object" && !Array.isArray(data14)) {
                                          for (const key0 in data14) {
                                            const _errs29 = errors;
                                            if (typeof data14[key0] !== "string") {
                                              validate53.errors = [{ instancePath: instancePath + "/attributes/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"), keyword: "type", params: { type: "string" } }];
                                              return false;
                                            }
                                            var valid1 = _errs29 === errors;
                                            if (!valid1) {
                                              break;
                                            }
                                          }
                                        } else {
                                          validate53.errors = [{ instancePath: instancePath + "/attributes", keyword: "type", params: { type: "object" } }];
                                          return false;
                                        }
                                      }
                                      var valid0 = _errs26 === errors;
                                    } else {
                                      var valid0 = true;
                                    }
                                    if (valid0) {
                                      if (data.traceId !== void 0) {
                                        let data16 = data.traceId;
                                        const _errs31 = errors;
                                        if (typeof data16 !== "string" && data16 !== null) {
                                          validate53.errors = [{ instancePath: instancePath + "/traceId", keyword: "type", params: { type: schema20.properties.traceId.type } }];
                                          return false;
                                        }
                                        var valid0 = _errs31 === errors;
                                      } else {
                                        var valid0 = true;
                                      }
                                      if (valid0) {
                                        if (data.spanId !== void 0) {
                                          let data17 = data.spanId;
                                          const _errs33 = errors;
                                          if (typeof data17 !== "string" && data17 !== null) {
                                            validate53.errors = [{ instancePath: instancePath + "/spanId", keyword: "type", params: { type: schema20.properties.spanId.type } }];
                                            return false;
                                          }
                                          var valid0 = _errs33 === errors;
                                        } else {
                                          var valid0 = true;
                                        }
                                        if (valid0) {
                                          if (data.truncated !== void 0) {
                                            const _errs35 = errors;
                                            if (typeof data.truncated !== "boolean") {
                                              validate53.errors = [{ instancePath: instancePath + "/truncated", keyword: "type", params: { type: "boolean" } }];
                                              return false;
                                            }
                                            var valid0 = _errs35 === errors;
                                          } else {
                                            var valid0 = true;
                                          }
                                        }
                                      }
                                    }
                                  }
                                }
                              }
                            }
                          }
                        }
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    } else {
      validate53.errors = [{ instancePath, keyword: "type", params: { type: "object" } }];
      return false;
    }
  }
  validate53.errors = vErrors;
  return errors === 0;
}
validate53.evaluated = { "props": { "eventId": true, "timestamp": true, "ingestedAt": true, "serverId": true, "workloadId": true, "workloadName": true, "deploymentId": true, "previewId": true, "environment": true, "containerId": true, "service": true, "severity": true, "stream": true, "body": true, "attributes": true, "traceId": true, "spanId": true, "truncated": true }, "dynamicProps": false, "dynamicItems": false };
function validate52(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.accessRevision === void 0 && (missing0 = "accessRevision") || data.followCursor === void 0 && (missing0 = "followCursor") || data.records === void 0 && (missing0 = "records") || data.nextCursor === void 0 && (missing0 = "nextCursor") || data.hasMore === void 0 && (missing0 = "hasMore") || data.partial === void 0 && (missing0 = "partial") || data.snapshotAt === void 0 && (missing0 = "snapshotAt")) {
        validate52.errors = [{ instancePath, keyword: "required", params: { missingProperty: missing0 } }];
        return false;
      } else {
        if (data.accessRevision !== void 0) {
          const _errs1 = errors;
          if (typeof data.accessRevision !== "string") {
            validate52.errors = [{ instancePath: instancePath + "/accessRevision", keyword: "type", params: { type: "string" } }];
            return false;
          }
          var valid0 = _errs1 === errors;
        } else {
          var valid0 = true;
        }
        if (valid0) {
          if (data.followCursor !== void 0) {
            const _errs3 = errors;
            if (typeof data.followCursor !== "string") {
              validate52.errors = [{ instancePath: instancePath + "/followCursor", keyword: "type", params: { type: "string" } }];
              return false;
            }
            var valid0 = _errs3 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.records !== void 0) {
              let data2 = data.records;
              const _errs5 = errors;
              if (errors === _errs5) {
                if (Array.isArray(data2)) {
                  var valid1 = true;
                  const len0 = data2.length;
                  for (let i0 = 0; i0 < len0; i0++) {
                    const _errs7 = errors;
                    if (!validate53(data2[i0], { instancePath: instancePath + "/records/" + i0, parentData: data2, parentDataProperty: i0, rootData, dynamicAnchors })) {
                      vErrors = vErrors === null ? validate53.errors : vErrors.concat(validate53.errors);
                      errors = vErrors.length;
                    }
                    var valid1 = _errs7 === errors;
                    if (!valid1) {
                      break;
                    }
                  }
                } else {
                  validate52.errors = [{ instancePath: instancePath + "/records", keyword: "type", params: { type: "array" } }];
                  return false;
                }
              }
              var valid0 = _errs5 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.nextCursor !== void 0) {
                let data4 = data.nextCursor;
                const _errs8 = errors;
                if (typeof data4 !== "string" && data4 !== null) {
                  validate52.errors = [{ instancePath: instancePath + "/nextCursor", keyword: "type", params: { type: schema19.properties.nextCursor.type } }];
                  return false;
                }
                var valid0 = _errs8 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.hasMore !== void 0) {
                  const _errs10 = errors;
                  if (typeof data.hasMore !== "boolean") {
                    validate52.errors = [{ instancePath: instancePath + "/hasMore", keyword: "type", params: { type: "boolean" } }];
                    return false;
                  }
                  var valid0 = _errs10 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.partial !== void 0) {
                    const _errs12 = errors;
                    if (typeof data.partial !== "boolean") {
                      validate52.errors = [{ instancePath: instancePath + "/partial", keyword: "type", params: { type: "boolean" } }];
                      return false;
                    }
                    var valid0 = _errs12 === errors;
                  } else {
                    var valid0 = true;
                  }
                  if (valid0) {
                    if (data.snapshotAt !== void 0) {
                      const _errs14 = errors;
                      if (typeof data.snapshotAt !== "string") {
                        validate52.errors = [{ instancePath: instancePath + "/snapshotAt", keyword: "type", params: { type: "string" } }];
                        return false;
                      }
                      var valid0 = _errs14 === errors;
                    } else {
                      var valid0 = true;
                    }
                  }
                }
              }
            }
          }
        }
      }
    } else {
      validate52.errors = [{ instancePath, keyword: "type", params: { type: "object" } }];
      return false;
    }
  }
  validate52.errors = vErrors;
  return errors === 0;
}
validate52.evaluated = { "props": { "accessRevision": true, "followCursor": true, "records": true, "nextCursor": true, "hasMore": true, "partial": true, "snapshotAt": true }, "dynamicProps": false, "dynamicItems": false };
var LogQueryResponse = validate61;
var schema26 = { "type": "string", "enum": ["day-short-month-year", "short-month-day-year", "year-month-day", "day-month-year", "month-day-year"], "$id": "DateFormat" };
function validate64(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (typeof data !== "string") {
    validate64.errors = [{ instancePath, keyword: "type", params: { type: "string" } }];
    return false;
  }
  if (!(data === "day-short-month-year" || data === "short-month-day-year" || data === "year-month-day" || data === "day-month-year" || data === "month-day-year")) {
    validate64.errors = [{ instancePath, keyword: "enum", params: { allowedValues: schema26.enum } }];
    return false;
  }
  validate64.errors = vErrors;
  return errors === 0;
}
var schema27 = { "type": "string", "enum": ["24-hour", "12-hour", "24-hour-seconds", "12-hour-seconds"], "$id": "TimeFormat" };
function validate66(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (typeof data !== "string") {
    validate66.errors = [{ instancePath, keyword: "type", params: { type: "string" } }];
    return false;
  }
  if (!(data === "24-hour" || data === "12-hour" || data === "24-hour-seconds" || data === "12-hour-seconds")) {
    validate66.errors = [{ instancePath, keyword: "enum", params: { allowedValues: schema27.enum } }];
    return false;
  }
  validate66.errors = vErrors;
  return errors === 0;
}
var schema28 = { "type": "object", "additionalProperties": false, "required": ["date", "time", "dateTime", "timeZone", "zoneLabel", "epochMilliseconds", "inputDateTime"], "properties": { "date": { "type": "string" }, "time": { "type": ["string", "null"] }, "dateTime": { "type": ["string", "null"] }, "timeZone": { "type": "string" }, "zoneLabel": { "type": "string" }, "epochMilliseconds": { "type": "number" }, "inputDateTime": { "type": ["string", "null"] } }, "$id": "TimestampRendering" };
function validate68(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.date === void 0 && (missing0 = "date") || data.time === void 0 && (missing0 = "time") || data.dateTime === void 0 && (missing0 = "dateTime") || data.timeZone === void 0 && (missing0 = "timeZone") || data.zoneLabel === void 0 && (missing0 = "zoneLabel") || data.epochMilliseconds === void 0 && (missing0 = "epochMilliseconds") || data.inputDateTime === void 0 && (missing0 = "inputDateTime")) {
        validate68.errors = [{ instancePath, keyword: "required", params: { missingProperty: missing0 } }];
        return false;
      } else {
        const _errs1 = errors;
        for (const key0 in data) {
          if (!(key0 === "date" || key0 === "time" || key0 === "dateTime" || key0 === "timeZone" || key0 === "zoneLabel" || key0 === "epochMilliseconds" || key0 === "inputDateTime")) {
            validate68.errors = [{ instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } }];
            return false;
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.date !== void 0) {
            const _errs2 = errors;
            if (typeof data.date !== "string") {
              validate68.errors = [{ instancePath: instancePath + "/date", keyword: "type", params: { type: "string" } }];
              return false;
            }
            var valid0 = _errs2 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.time !== void 0) {
              let data1 = data.time;
              const _errs4 = errors;
              if (typeof data1 !== "string" && data1 !== null) {
                validate68.errors = [{ instancePath: instancePath + "/time", keyword: "type", params: { type: schema28.properties.time.type } }];
                return false;
              }
              var valid0 = _errs4 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.dateTime !== void 0) {
                let data2 = data.dateTime;
                const _errs6 = errors;
                if (typeof data2 !== "string" && data2 !== null) {
                  validate68.errors = [{ instancePath: instancePath + "/dateTime", keyword: "type", params: { type: schema28.properties.dateTime.type } }];
                  return false;
                }
                var valid0 = _errs6 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.timeZone !== void 0) {
                  const _errs8 = errors;
                  if (typeof data.timeZone !== "string") {
                    validate68.errors = [{ instancePath: instancePath + "/timeZone", keyword: "type", params: { type: "string" } }];
                    return false;
                  }
                  var valid0 = _errs8 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.zoneLabel !== void 0) {
                    const _errs10 = errors;
                    if (typeof data.zoneLabel !== "string") {
                      validate68.errors = [{ instancePath: instancePath + "/zoneLabel", keyword: "type", params: { type: "string" } }];
                      return false;
                    }
                    var valid0 = _errs10 === errors;
                  } else {
                    var valid0 = true;
                  }
                  if (valid0) {
                    if (data.epochMilliseconds !== void 0) {
                      let data5 = data.epochMilliseconds;
                      const _errs12 = errors;
                      if (!(typeof data5 == "number" && isFinite(data5))) {
                        validate68.errors = [{ instancePath: instancePath + "/epochMilliseconds", keyword: "type", params: { type: "number" } }];
                        return false;
                      }
                      var valid0 = _errs12 === errors;
                    } else {
                      var valid0 = true;
                    }
                    if (valid0) {
                      if (data.inputDateTime !== void 0) {
                        let data6 = data.inputDateTime;
                        const _errs14 = errors;
                        if (typeof data6 !== "string" && data6 !== null) {
                          validate68.errors = [{ instancePath: instancePath + "/inputDateTime", keyword: "type", params: { type: schema28.properties.inputDateTime.type } }];
                          return false;
                        }
                        var valid0 = _errs14 === errors;
                      } else {
                        var valid0 = true;
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    } else {
      validate68.errors = [{ instancePath, keyword: "type", params: { type: "object" } }];
      return false;
    }
  }
  validate68.errors = vErrors;
  return errors === 0;
}
function validate63(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.dateFormat === void 0 && (missing0 = "dateFormat") || data.timeFormat === void 0 && (missing0 = "timeFormat") || data.timeZone === void 0 && (missing0 = "timeZone") || data.timestamps === void 0 && (missing0 = "timestamps")) {
        validate63.errors = [{ instancePath, keyword: "required", params: { missingProperty: missing0 } }];
        return false;
      } else {
        const _errs1 = errors;
        for (const key0 in data) {
          if (!(key0 === "dateFormat" || key0 === "timeFormat" || key0 === "timeZone" || key0 === "timestamps")) {
            validate63.errors = [{ instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } }];
            return false;
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.dateFormat !== void 0) {
            const _errs2 = errors;
            if (!validate64(data.dateFormat, { instancePath: instancePath + "/dateFormat", parentData: data, parentDataProperty: "dateFormat", rootData, dynamicAnchors })) {
              vErrors = vErrors === null ? validate64.errors : vErrors.concat(validate64.errors);
              errors = vErrors.length;
            }
            var valid0 = _errs2 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.timeFormat !== void 0) {
              const _errs3 = errors;
              if (!validate66(data.timeFormat, { instancePath: instancePath + "/timeFormat", parentData: data, parentDataProperty: "timeFormat", rootData, dynamicAnchors })) {
                vErrors = vErrors === null ? validate66.errors : vErrors.concat(validate66.errors);
                errors = vErrors.length;
              }
              var valid0 = _errs3 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.timeZone !== void 0) {
                const _errs4 = errors;
                if (typeof data.timeZone !== "string") {
                  validate63.errors = [{ instancePath: instancePath + "/timeZone", keyword: "type", params: { type: "string" } }];
                  return false;
                }
                var valid0 = _errs4 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.timestamps !== void 0) {
                  let data3 = data.timestamps;
                  const _errs6 = errors;
                  if (errors === _errs6) {
                    if (data3 && typeof data3 == "object" && !Array.isArray(data3)) {
                      for (const key1 in data3) {
                        const _errs9 = errors;
                        if (!validate68(data3[key1], { instancePath: instancePath + "/timestamps/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"), parentData: data3, parentDataProperty: key1, rootData, dynamicAnchors })) {
                          vErrors = vErrors === null ? validate68.errors : vErrors.concat(validate68.errors);
                          errors = vErrors.length;
                        }
                        var valid1 = _errs9 === errors;
                        if (!valid1) {
                          break;
                        }
                      }
                    } else {
                      validate63.errors = [{ instancePath: instancePath + "/timestamps", keyword: "type", params: { type: "object" } }];
                      return false;
                    }
                  }
                  var valid0 = _errs6 === errors;
                } else {
                  var valid0 = true;
                }
              }
            }
          }
        }
      }
    } else {
      validate63.errors = [{ instancePath, keyword: "type", params: { type: "object" } }];
      return false;
    }
  }
  validate63.errors = vErrors;
  return errors === 0;
}
function validate61(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  const _errs0 = errors;
  if (!validate52(data, { instancePath, parentData, parentDataProperty, rootData, dynamicAnchors })) {
    vErrors = vErrors === null ? validate52.errors : vErrors.concat(validate52.errors);
    errors = vErrors.length;
  }
  var valid0 = _errs0 === errors;
  if (valid0) {
    const _errs1 = errors;
    if (errors === _errs1) {
      if (data && typeof data == "object" && !Array.isArray(data)) {
        let missing0;
        if (data.localization === void 0 && (missing0 = "localization")) {
          validate61.errors = [{ instancePath, keyword: "required", params: { missingProperty: missing0 } }];
          return false;
        } else {
          if (data.localization !== void 0) {
            if (!validate63(data.localization, { instancePath: instancePath + "/localization", parentData: data, parentDataProperty: "localization", rootData, dynamicAnchors })) {
              vErrors = vErrors === null ? validate63.errors : vErrors.concat(validate63.errors);
              errors = vErrors.length;
            }
          }
        }
      } else {
        validate61.errors = [{ instancePath, keyword: "type", params: { type: "object" } }];
        return false;
      }
    }
    var valid0 = _errs1 === errors;
  }
  validate61.errors = vErrors;
  return errors === 0;
}
validate61.evaluated = { "props": { "localization": true, "accessRevision": true, "followCursor": true, "records": true, "nextCursor": true, "hasMore": true, "partial": true, "snapshotAt": true }, "dynamicProps": false, "dynamicItems": false };
var LogQueryRequest = validate71;
var schema29 = { "type": "object", "additionalProperties": false, "required": ["filters"], "properties": { "filters": { "$ref": "LogQueryFilters" }, "limit": { "type": "integer", "minimum": 1, "maximum": 500 }, "cursor": { "$ref": "Cursor" }, "direction": { "type": "string", "enum": ["older", "newer"] } }, "$id": "LogQueryRequest" };
var schema30 = { "type": "object", "additionalProperties": false, "required": ["from", "to"], "properties": { "from": { "$ref": "UtcDateTime" }, "to": { "$ref": "UtcDateTime" }, "workloadIds": { "type": "array", "maxItems": 50, "items": { "$ref": "Uuid" } }, "serverIds": { "type": "array", "maxItems": 50, "items": { "$ref": "Uuid" } }, "deploymentIds": { "type": "array", "maxItems": 50, "items": { "$ref": "Uuid" } }, "previewIds": { "type": "array", "maxItems": 50, "items": { "$ref": "Uuid" } }, "containerIds": { "type": "array", "maxItems": 50, "items": { "type": "string", "pattern": "^[0-9a-f]{64}$" } }, "environments": { "type": "array", "maxItems": 2, "items": { "$ref": "LogEnvironment" } }, "services": { "type": "array", "maxItems": 50, "items": { "type": "string", "minLength": 1, "maxLength": 128 } }, "severities": { "type": "array", "maxItems": 7, "items": { "$ref": "Severity" } }, "search": { "type": "string", "maxLength": 512 }, "traceId": { "type": "string", "pattern": "^[0-9a-f]{32}$" }, "attributes": { "type": "array", "maxItems": 8, "items": { "$ref": "AttributeFilter" } }, "stream": { "$ref": "LogStream" }, "conditionGroup": { "$ref": "ConditionGroup" } }, "$id": "LogQueryFilters" };
var func1 = Object.prototype.hasOwnProperty;
var func2 = require_ucs2length().default;
var pattern3 = new RegExp("^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8])))T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d+)?Z$", "u");
function validate73(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (typeof data === "string") {
      if (!pattern3.test(data)) {
        validate73.errors = [{ instancePath, keyword: "pattern", params: {} }];
        return false;
      }
    } else {
      validate73.errors = [{ instancePath, keyword: "type", params: { type: "string" } }];
      return false;
    }
  }
  validate73.errors = vErrors;
  return errors === 0;
}
var pattern4 = new RegExp("^(?:[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|[fF]{8}-[fF]{4}-[fF]{4}-[fF]{4}-[fF]{12})$", "u");
function validate76(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (typeof data === "string") {
      if (!pattern4.test(data)) {
        validate76.errors = [{ instancePath, keyword: "pattern", params: {} }];
        return false;
      }
    } else {
      validate76.errors = [{ instancePath, keyword: "type", params: { type: "string" } }];
      return false;
    }
  }
  validate76.errors = vErrors;
  return errors === 0;
}
var schema33 = { "type": "object", "additionalProperties": false, "required": ["key", "value"], "properties": { "key": { "type": "string", "minLength": 1, "maxLength": 128 }, "value": { "type": "string", "maxLength": 512 }, "operator": { "type": "string", "enum": ["equals", "contains"] } }, "$id": "AttributeFilter" };
function validate83(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.key === void 0 && (missing0 = "key") || data.value === void 0 && (missing0 = "value")) {
        validate83.errors = [{ instancePath, keyword: "required", params: { missingProperty: missing0 } }];
        return false;
      } else {
        const _errs1 = errors;
        for (const key0 in data) {
          if (!(key0 === "key" || key0 === "value" || key0 === "operator")) {
            validate83.errors = [{ instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } }];
            return false;
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.key !== void 0) {
            let data0 = data.key;
            const _errs2 = errors;
            if (errors === _errs2) {
              if (typeof data0 === "string") {
                if (func2(data0) > 128) {
                  validate83.errors = [{ instancePath: instancePath + "/key", keyword: "maxLength", params: { limit: 128 } }];
                  return false;
                } else {
                  if (func2(data0) < 1) {
                    validate83.errors = [{ instancePath: instancePath + "/key", keyword: "minLength", params: { limit: 1 } }];
                    return false;
                  }
                }
              } else {
                validate83.errors = [{ instancePath: instancePath + "/key", keyword: "type", params: { type: "string" } }];
                return false;
              }
            }
            var valid0 = _errs2 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.value !== void 0) {
              let data1 = data.value;
              const _errs4 = errors;
              if (errors === _errs4) {
                if (typeof data1 === "string") {
                  if (func2(data1) > 512) {
                    validate83.errors = [{ instancePath: instancePath + "/value", keyword: "maxLength", params: { limit: 512 } }];
                    return false;
                  }
                } else {
                  validate83.errors = [{ instancePath: instancePath + "/value", keyword: "type", params: { type: "string" } }];
                  return false;
                }
              }
              var valid0 = _errs4 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.operator !== void 0) {
                let data2 = data.operator;
                const _errs6 = errors;
                if (typeof data2 !== "string") {
                  validate83.errors = [{ instancePath: instancePath + "/operator", keyword: "type", params: { type: "string" } }];
                  return false;
                }
                if (!(data2 === "equals" || data2 === "contains")) {
                  validate83.errors = [{ instancePath: instancePath + "/operator", keyword: "enum", params: { allowedValues: schema33.properties.operator.enum } }];
                  return false;
                }
                var valid0 = _errs6 === errors;
              } else {
                var valid0 = true;
              }
            }
          }
        }
      }
    } else {
      validate83.errors = [{ instancePath, keyword: "type", params: { type: "object" } }];
      return false;
    }
  }
  validate83.errors = vErrors;
  return errors === 0;
}
var schema34 = { "type": "object", "additionalProperties": false, "required": ["match", "conditions"], "properties": { "match": { "type": "string", "enum": ["and", "or"] }, "conditions": { "type": "array", "minItems": 1, "maxItems": 8, "items": { "$ref": "Condition" } } }, "$id": "ConditionGroup" };
var pattern7 = new RegExp("^(?:serverId|workloadId|deploymentId|previewId|containerId|service|stream|traceId|spanId|attribute:[\\s\\S]{1,128})$", "u");
function validate88(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (typeof data === "string") {
      if (!pattern7.test(data)) {
        validate88.errors = [{ instancePath, keyword: "pattern", params: {} }];
        return false;
      }
    } else {
      validate88.errors = [{ instancePath, keyword: "type", params: { type: "string" } }];
      return false;
    }
  }
  validate88.errors = vErrors;
  return errors === 0;
}
var schema37 = { "type": "string", "enum": ["equals", "not_equals", "contains", "not_contains", "starts_with", "ends_with", "exists", "not_exists"], "$id": "ConditionOperator" };
function validate90(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (typeof data !== "string") {
    validate90.errors = [{ instancePath, keyword: "type", params: { type: "string" } }];
    return false;
  }
  if (!(data === "equals" || data === "not_equals" || data === "contains" || data === "not_contains" || data === "starts_with" || data === "ends_with" || data === "exists" || data === "not_exists")) {
    validate90.errors = [{ instancePath, keyword: "enum", params: { allowedValues: schema37.enum } }];
    return false;
  }
  validate90.errors = vErrors;
  return errors === 0;
}
function validate87(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.field === void 0 && (missing0 = "field") || data.operator === void 0 && (missing0 = "operator") || data.value === void 0 && (missing0 = "value")) {
        validate87.errors = [{ instancePath, keyword: "required", params: { missingProperty: missing0 } }];
        return false;
      } else {
        const _errs1 = errors;
        for (const key0 in data) {
          if (!(key0 === "field" || key0 === "operator" || key0 === "value")) {
            validate87.errors = [{ instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } }];
            return false;
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.field !== void 0) {
            const _errs2 = errors;
            if (!validate88(data.field, { instancePath: instancePath + "/field", parentData: data, parentDataProperty: "field", rootData, dynamicAnchors })) {
              vErrors = vErrors === null ? validate88.errors : vErrors.concat(validate88.errors);
              errors = vErrors.length;
            }
            var valid0 = _errs2 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.operator !== void 0) {
              const _errs3 = errors;
              if (!validate90(data.operator, { instancePath: instancePath + "/operator", parentData: data, parentDataProperty: "operator", rootData, dynamicAnchors })) {
                vErrors = vErrors === null ? validate90.errors : vErrors.concat(validate90.errors);
                errors = vErrors.length;
              }
              var valid0 = _errs3 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.value !== void 0) {
                let data2 = data.value;
                const _errs4 = errors;
                if (errors === _errs4) {
                  if (typeof data2 === "string") {
                    if (func2(data2) > 512) {
                      validate87.errors = [{ instancePath: instancePath + "/value", keyword: "maxLength", params: { limit: 512 } }];
                      return false;
                    }
                  } else {
                    validate87.errors = [{ instancePath: instancePath + "/value", keyword: "type", params: { type: "string" } }];
                    return false;
                  }
                }
                var valid0 = _errs4 === errors;
              } else {
                var valid0 = true;
              }
            }
          }
        }
      }
    } else {
      validate87.errors = [{ instancePath, keyword: "type", params: { type: "object" } }];
      return false;
    }
  }
  validate87.errors = vErrors;
  return errors === 0;
}
function validate86(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.match === void 0 && (missing0 = "match") || data.conditions === void 0 && (missing0 = "conditions")) {
        validate86.errors = [{ instancePath, keyword: "required", params: { missingProperty: missing0 } }];
        return false;
      } else {
        const _errs1 = errors;
        for (const key0 in data) {
          if (!(key0 === "match" || key0 === "conditions")) {
            validate86.errors = [{ instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } }];
            return false;
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.match !== void 0) {
            let data0 = data.match;
            const _errs2 = errors;
            if (typeof data0 !== "string") {
              validate86.errors = [{ instancePath: instancePath + "/match", keyword: "type", params: { type: "string" } }];
              return false;
            }
            if (!(data0 === "and" || data0 === "or")) {
              validate86.errors = [{ instancePath: instancePath + "/match", keyword: "enum", params: { allowedValues: schema34.properties.match.enum } }];
              return false;
            }
            var valid0 = _errs2 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.conditions !== void 0) {
              let data1 = data.conditions;
              const _errs4 = errors;
              if (errors === _errs4) {
                if (Array.isArray(data1)) {
                  if (data1.length > 8) {
                    validate86.errors = [{ instancePath: instancePath + "/conditions", keyword: "maxItems", params: { limit: 8 } }];
                    return false;
                  } else {
                    if (data1.length < 1) {
                      validate86.errors = [{ instancePath: instancePath + "/conditions", keyword: "minItems", params: { limit: 1 } }];
                      return false;
                    } else {
                      var valid1 = true;
                      const len0 = data1.length;
                      for (let i0 = 0; i0 < len0; i0++) {
                        const _errs6 = errors;
                        if (!validate87(data1[i0], { instancePath: instancePath + "/conditions/" + i0, parentData: data1, parentDataProperty: i0, rootData, dynamicAnchors })) {
                          vErrors = vErrors === null ? validate87.errors : vErrors.concat(validate87.errors);
                          errors = vErrors.length;
                        }
                        var valid1 = _errs6 === errors;
                        if (!valid1) {
                          break;
                        }
                      }
                    }
                  }
                } else {
                  validate86.errors = [{ instancePath: instancePath + "/conditions", keyword: "type", params: { type: "array" } }];
                  return false;
                }
              }
              var valid0 = _errs4 === errors;
            } else {
              var valid0 = true;
            }
          }
        }
      }
    } else {
      validate86.errors = [{ instancePath, keyword: "type", params: { type: "object" } }];
      return false;
    }
  }
  validate86.errors = vErrors;
  return errors === 0;
}
var pattern5 = new RegExp("^[0-9a-f]{64}$", "u");
var pattern6 = new RegExp("^[0-9a-f]{32}$", "u");
function validate72(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.from === void 0 && (missing0 = "from") || data.to === void 0 && (missing0 = "to")) {
        validate72.errors = [{ instancePath, keyword: "required", params: { missingProperty: missing0 } }];
        return false;
      } else {
        const _errs1 = errors;
        for (const key0 in data) {
          if (!func1.call(schema30.properties, key0)) {
            validate72.errors = [{ instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } }];
            return false;
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.from !== void 0) {
            const _errs2 = errors;
            if (!validate73(data.from, { instancePath: instancePath + "/from", parentData: data, parentDataProperty: "from", rootData, dynamicAnchors })) {
              vErrors = vErrors === null ? validate73.errors : vErrors.concat(validate73.errors);
              errors = vErrors.length;
            }
            var valid0 = _errs2 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.to !== void 0) {
              const _errs3 = errors;
              if (!validate73(data.to, { instancePath: instancePath + "/to", parentData: data, parentDataProperty: "to", rootData, dynamicAnchors })) {
                vErrors = vErrors === null ? validate73.errors : vErrors.concat(validate73.errors);
                errors = vErrors.length;
              }
              var valid0 = _errs3 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.workloadIds !== void 0) {
                let data2 = data.workloadIds;
                const _errs4 = errors;
                if (errors === _errs4) {
                  if (Array.isArray(data2)) {
                    if (data2.length > 50) {
                      validate72.errors = [{ instancePath: instancePath + "/workloadIds", keyword: "maxItems", params: { limit: 50 } }];
                      return false;
                    } else {
                      var valid1 = true;
                      const len0 = data2.length;
                      for (let i0 = 0; i0 < len0; i0++) {
                        const _errs6 = errors;
                        if (!validate76(data2[i0], { instancePath: instancePath + "/workloadIds/" + i0, parentData: data2, parentDataProperty: i0, rootData, dynamicAnchors })) {
                          vErrors = vErrors === null ? validate76.errors : vErrors.concat(validate76.errors);
                          errors = vErrors.length;
                        }
                        var valid1 = _errs6 === errors;
                        if (!valid1) {
                          break;
                        }
                      }
                    }
                  } else {
                    validate72.errors = [{ instancePath: instancePath + "/workloadIds", keyword: "type", params: { type: "array" } }];
                    return false;
                  }
                }
                var valid0 = _errs4 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.serverIds !== void 0) {
                  let data4 = data.serverIds;
                  const _errs7 = errors;
                  if (errors === _errs7) {
                    if (Array.isArray(data4)) {
                      if (data4.length > 50) {
                        validate72.errors = [{ instancePath: instancePath + "/serverIds", keyword: "maxItems", params: { limit: 50 } }];
                        return false;
                      } else {
                        var valid2 = true;
                        const len1 = data4.length;
                        for (let i1 = 0; i1 < len1; i1++) {
                          const _errs9 = errors;
                          if (!validate76(data4[i1], { instancePath: instancePath + "/serverIds/" + i1, parentData: data4, parentDataProperty: i1, rootData, dynamicAnchors })) {
                            vErrors = vErrors === null ? validate76.errors : vErrors.concat(validate76.errors);
                            errors = vErrors.length;
                          }
                          var valid2 = _errs9 === errors;
                          if (!valid2) {
                            break;
                          }
                        }
                      }
                    } else {
                      validate72.errors = [{ instancePath: instancePath + "/serverIds", keyword: "type", params: { type: "array" } }];
                      return false;
                    }
                  }
                  var valid0 = _errs7 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.deploymentIds !== void 0) {
                    let data6 = data.deploymentIds;
                    const _errs10 = errors;
                    if (errors === _errs10) {
                      if (Array.isArray(data6)) {
                        if (data6.length > 50) {
                          validate72.errors = [{ instancePath: instancePath + "/deploymentIds", keyword: "maxItems", params: { limit: 50 } }];
                          return false;
                        } else {
                          var valid3 = true;
                          const len2 = data6.length;
                          for (let i2 = 0; i2 < len2; i2++) {
                            const _errs12 = errors;
                            if (!validate76(data6[i2], { instancePath: instancePath + "/deploymentIds/" + i2, parentData: data6, parentDataProperty: i2, rootData, dynamicAnchors })) {
                              vErrors = vErrors === null ? validate76.errors : vErrors.concat(validate76.errors);
                              errors = vErrors.length;
                            }
                            var valid3 = _errs12 === errors;
                            if (!valid3) {
                              break;
                            }
                          }
                        }
                      } else {
                        validate72.errors = [{ instancePath: instancePath + "/deploymentIds", keyword: "type", params: { type: "array" } }];
                        return false;
                      }
                    }
                    var valid0 = _errs10 === errors;
                  } else {
                    var valid0 = true;
                  }
                  if (valid0) {
                    if (data.previewIds !== void 0) {
                      let data8 = data.previewIds;
                      const _errs13 = errors;
                      if (errors === _errs13) {
                        if (Array.isArray(data8)) {
                          if (data8.length > 50) {
                            validate72.errors = [{ instancePath: instancePath + "/previewIds", keyword: "maxItems", params: { limit: 50 } }];
                            return false;
                          } else {
                            var valid4 = true;
                            const len3 = data8.length;
                            for (let i3 = 0; i3 < len3; i3++) {
                              const _errs15 = errors;
                              if (!validate76(data8[i3], { instancePath: instancePath + "/previewIds/" + i3, parentData: data8, parentDataProperty: i3, rootData, dynamicAnchors })) {
                                vErrors = vErrors === null ? validate76.errors : vErrors.concat(validate76.errors);
                                errors = vErrors.length;
                              }
                              var valid4 = _errs15 === errors;
                              if (!valid4) {
                                break;
                              }
                            }
                          }
                        } else {
                          validate72.errors = [{ instancePath: instancePath + "/previewIds", keyword: "type", params: { type: "array" } }];
                          return false;
                        }
                      }
                      var valid0 = _errs13 === errors;
                    } else {
                      var valid0 = true;
                    }
                    if (valid0) {
                      if (data.containerIds !== void 0) {
                        let data10 = data.containerIds;
                        const _errs16 = errors;
                        if (errors === _errs16) {
                          if (Array.isArray(data10)) {
                            if (data10.length > 50) {
                              validate72.errors = [{ instancePath: instancePath + "/containerIds", keyword: "maxItems", params: { limit: 50 } }];
                              return false;
                            } else {
                              var valid5 = true;
                              const len4 = data10.length;
                              for (let i4 = 0; i4 < len4; i4++) {
                                let data11 = data10[i4];
                                const _errs18 = errors;
                                if (errors === _errs18) {
                                  if (typeof data11 === "string") {
                                    if (!pattern5.test(data11)) {
                                      validate72.errors = [{ instancePath: instancePath + "/containerIds/" + i4, keyword: "pattern", params: {} }];
                                      return false;
                                    }
                                  } else {
                                    validate72.errors = [{ instancePath: instancePath + "/containerIds/" + i4, keyword: "type", params: { type: "string" } }];
                                    return false;
                                  }
                                }
                                var valid5 = _errs18 === errors;
                                if (!valid5) {
                                  break;
                                }
                              }
                            }
                          } else {
                            validate72.errors = [{ instancePath: instancePath + "/containerIds", keyword: "type", params: { type: "array" } }];
                            return false;
                          }
                        }
                        var valid0 = _errs16 === errors;
                      } else {
                        var valid0 = true;
                      }
                      if (valid0) {
                        if (data.environments !== void 0) {
                          let data12 = data.environments;
                          const _errs20 = errors;
                          if (errors === _errs20) {
                            if (Array.isArray(data12)) {
                              if (data12.length > 2) {
                                validate72.errors = [{ instancePath: instancePath + "/environments", keyword: "maxItems", params: { limit: 2 } }];
                                return false;
                              } else {
                                var valid6 = true;
                                const len5 = data12.length;
                                for (let i5 = 0; i5 < len5; i5++) {
                                  const _errs22 = errors;
                                  if (!validate54(data12[i5], { instancePath: instancePath + "/environments/" + i5, parentData: data12, parentDataProperty: i5, rootData, dynamicAnchors })) {
                                    vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
                                    errors = vErrors.length;
                                  }
                                  var valid6 = _errs22 === errors;
                                  if (!valid6) {
                                    break;
                                  }
                                }
                              }
                            } else {
                              validate72.errors = [{ instancePath: instancePath + "/environments", keyword: "type", params: { type: "array" } }];
                              return false;
                            }
                          }
                          var valid0 = _errs20 === errors;
                        } else {
                          var valid0 = true;
                        }
                        if (valid0) {
                          if (data.services !== void 0) {
                            let data14 = data.services;
                            const _errs23 = errors;
                            if (errors === _errs23) {
                              if (Array.isArray(data14)) {
                                if (data14.length > 50) {
                                  validate72.errors = [{ instancePath: instancePath + "/services", keyword: "maxItems", params: { limit: 50 } }];
                                  return false;
                                } else {
                                  var valid7 = true;
                                  const len6 = data14.length;
                                  for (let i6 = 0; i6 < len6; i6++) {
                                    let data15 = data14[i6];
                                    const _errs25 = errors;
                                    if (errors === _errs25) {
                                      if (typeof data15 === "string") {
                                        if (func2(data15) > 128) {
                                          validate72.errors = [{ instancePath: instancePath + "/services/" + i6, keyword: "maxLength", params: { limit: 128 } }];
                                          return false;
                                        } else {
                                          if (func2(data15) < 1) {
                                            validate72.errors = [{ instancePath: instancePath + "/services/" + i6, keyword: "minLength", params: { limit: 1 } }];
                                            return false;
                                          }
                                        }
                                      } else {
                                        validate72.errors = [{ instancePath: instancePath + "/services/" + i6, keyword: "type", params: { type: "string" } }];
                                        return false;
                                      }
                                    }
                                    var valid7 = _errs25 === errors;
                                    if (!valid7) {
                                      break;
                                    }
                                  }
                                }
                              } else {
                                validate72.errors = [{ instancePath: instancePath + "/services", keyword: "type", params: { type: "array" } }];
                                return false;
                              }
                            }
                            var valid0 = _errs23 === errors;
                          } else {
                            var valid0 = true;
                          }
                          if (valid0) {
                            if (data.severities !== void 0) {
                              let data16 = data.severities;
                              const _errs27 = errors;
                              if (errors === _errs27) {
                                if (Array.isArray(data16)) {
                                  if (data16.length > 7) {
                                    validate72.errors = [{ instancePath: instancePath + "/severities", keyword: "maxItems", params: { limit: 7 } }];
                                    return false;
                                  } else {
                                    var valid8 = true;
                                    const len7 = data16.length;
                                    for (let i7 = 0; i7 < len7; i7++) {
                                      const _errs29 = errors;
                                      if (!validate56(data16[i7], { instancePath: instancePath + "/severities/" + i7, parentData: data16, parentDataProperty: i7, rootData, dynamicAnchors })) {
                                        vErrors = vErrors === null ? validate56.errors : vErrors.concat(validate56.errors);
                                        errors = vErrors.length;
                                      }
                                      var valid8 = _errs29 === errors;
                                      if (!valid8) {
                                        break;
                                      }
                                    }
                                  }
                                } else {
                                  validate72.errors = [{ instancePath: instancePath + "/severities", keyword: "type", params: { type: "array" } }];
                                  return false;
                                }
                              }
                              var valid0 = _errs27 === errors;
                            } else {
                              var valid0 = true;
                            }
                            if (valid0) {
                              if (data.search !== void 0) {
                                let data18 = data.search;
                                const _errs30 = errors;
                                if (errors === _errs30) {
                                  if (typeof data18 === "string") {
                                    if (func2(data18) > 512) {
                                      validate72.errors = [{ instancePath: instancePath + "/search", keyword: "maxLength", params: { limit: 512 } }];
                                      return false;
                                    }
                                  } else {
                                    validate72.errors = [{ instancePath: instancePath + "/search", keyword: "type", params: { type: "string" } }];
                                    return false;
                                  }
                                }
                                var valid0 = _errs30 === errors;
                              } else {
                                var valid0 = true;
                              }
                              if (valid0) {
                                if (data.traceId !== void 0) {
                                  let data19 = data.traceId;
                                  const _errs32 = errors;
                                  if (errors === _errs32) {
                                    if (typeof data19 === "string") {
                                      if (!pattern6.test(data19)) {
                                        validate72.errors = [{ instancePath: instancePath + "/traceId", keyword: "pattern", params: {} }];
                                        return false;
                                      }
                                    } else {
                                      validate72.errors = [{ instancePath: instancePath + "/traceId", keyword: "type", params: { type: "string" } }];
                                      return false;
                                    }
                                  }
                                  var valid0 = _errs32 === errors;
                                } else {
                                  var valid0 = true;
                                }
                                if (valid0) {
                                  if (data.attributes !== void 0) {
                                    let data20 = data.attributes;
                                    const _errs34 = errors;
                                    if (errors === _errs34) {
                                      if (Array.isArray(data20)) {
                                        if (data20.length > 8) {
                                          validate72.errors = [{ instancePath: instancePath + "/attributes", keyword: "maxItems", params: { limit: 8 } }];
                                          return false;
                                        } else {
                                          var valid9 = true;
                                          const len8 = data20.length;
                                          for (let i8 = 0; i8 < len8; i8++) {
                                            const _errs36 = errors;
                                            if (!validate83(data20[i8], { instancePath: instancePath + "/attributes/" + i8, parentData: data20, parentDataProperty: i8, rootData, dynamicAnchors })) {
                                              vErrors = vErrors === null ? validate83.errors : vErrors.concat(validate83.errors);
                                              errors = vErrors.length;
                                            }
                                            var valid9 = _errs36 === errors;
                                            if (!valid9) {
                                              break;
                                            }
                                          }
                                        }
                                      } else {
                                        validate72.errors = [{ instancePath: instancePath + "/attributes", keyword: "type", params: { type: "array" } }];
                                        return false;
                                      }
                                    }
                                    var valid0 = _errs34 === errors;
                                  } else {
                                    var valid0 = true;
                                  }
                                  if (valid0) {
                                    if (data.stream !== void 0) {
                                      const _errs37 = errors;
                                      if (!validate58(data.stream, { instancePath: instancePath + "/stream", parentData: data, parentDataProperty: "stream", rootData, dynamicAnchors })) {
                                        vErrors = vErrors === null ? validate58.errors : vErrors.concat(validate58.errors);
                                        errors = vErrors.length;
                                      }
                                      var valid0 = _errs37 === errors;
                                    } else {
                                      var valid0 = true;
                                    }
                                    if (valid0) {
                                      if (data.conditionGroup !== void 0) {
                                        const _errs38 = errors;
                                        if (!validate86(data.conditionGroup, { instancePath: instancePath + "/conditionGroup", parentData: data, parentDataProperty: "conditionGroup", rootData, dynamicAnchors })) {
                                          vErrors = vErrors === null ? validate86.errors : vErrors.concat(validate86.errors);
                                          errors = vErrors.length;
                                        }
                                        var valid0 = _errs38 === errors;
                                      } else {
                                        var valid0 = true;
                                      }
                                    }
                                  }
                                }
                              }
                            }
                          }
                        }
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    } else {
      validate72.errors = [{ instancePath, keyword: "type", params: { type: "object" } }];
      return false;
    }
  }
  validate72.errors = vErrors;
  return errors === 0;
}
function validate95(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (typeof data === "string") {
      if (func2(data) > 8192) {
        validate95.errors = [{ instancePath, keyword: "maxLength", params: { limit: 8192 } }];
        return false;
      }
    } else {
      validate95.errors = [{ instancePath, keyword: "type", params: { type: "string" } }];
      return false;
    }
  }
  validate95.errors = vErrors;
  return errors === 0;
}
function validate71(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.filters === void 0 && (missing0 = "filters")) {
        validate71.errors = [{ instancePath, keyword: "required", params: { missingProperty: missing0 } }];
        return false;
      } else {
        const _errs1 = errors;
        for (const key0 in data) {
          if (!(key0 === "filters" || key0 === "limit" || key0 === "cursor" || key0 === "direction")) {
            validate71.errors = [{ instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } }];
            return false;
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.filters !== void 0) {
            const _errs2 = errors;
            if (!validate72(data.filters, { instancePath: instancePath + "/filters", parentData: data, parentDataProperty: "filters", rootData, dynamicAnchors })) {
              vErrors = vErrors === null ? validate72.errors : vErrors.concat(validate72.errors);
              errors = vErrors.length;
            }
            var valid0 = _errs2 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.limit !== void 0) {
              let data1 = data.limit;
              const _errs3 = errors;
              if (!(typeof data1 == "number" && (!(data1 % 1) && !isNaN(data1)) && isFinite(data1))) {
                validate71.errors = [{ instancePath: instancePath + "/limit", keyword: "type", params: { type: "integer" } }];
                return false;
              }
              if (errors === _errs3) {
                if (typeof data1 == "number" && isFinite(data1)) {
                  if (data1 > 500 || isNaN(data1)) {
                    validate71.errors = [{ instancePath: instancePath + "/limit", keyword: "maximum", params: { comparison: "<=", limit: 500 } }];
                    return false;
                  } else {
                    if (data1 < 1 || isNaN(data1)) {
                      validate71.errors = [{ instancePath: instancePath + "/limit", keyword: "minimum", params: { comparison: ">=", limit: 1 } }];
                      return false;
                    }
                  }
                }
              }
              var valid0 = _errs3 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.cursor !== void 0) {
                const _errs5 = errors;
                if (!validate95(data.cursor, { instancePath: instancePath + "/cursor", parentData: data, parentDataProperty: "cursor", rootData, dynamicAnchors })) {
                  vErrors = vErrors === null ? validate95.errors : vErrors.concat(validate95.errors);
                  errors = vErrors.length;
                }
                var valid0 = _errs5 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.direction !== void 0) {
                  let data3 = data.direction;
                  const _errs6 = errors;
                  if (typeof data3 !== "string") {
                    validate71.errors = [{ instancePath: instancePath + "/direction", keyword: "type", params: { type: "string" } }];
                    return false;
                  }
                  if (!(data3 === "older" || data3 === "newer")) {
                    validate71.errors = [{ instancePath: instancePath + "/direction", keyword: "enum", params: { allowedValues: schema29.properties.direction.enum } }];
                    return false;
                  }
                  var valid0 = _errs6 === errors;
                } else {
                  var valid0 = true;
                }
              }
            }
          }
        }
      }
    } else {
      validate71.errors = [{ instancePath, keyword: "type", params: { type: "object" } }];
      return false;
    }
  }
  validate71.errors = vErrors;
  return errors === 0;
}
var LogTailRequest = validate97;
var schema40 = { "type": "object", "additionalProperties": false, "required": ["from", "to"], "properties": { "from": { "$ref": "UtcDateTime" }, "to": { "$ref": "UtcDateTime" }, "workloadIds": { "type": "array", "maxItems": 50, "items": { "$ref": "Uuid" } }, "serverIds": { "type": "array", "maxItems": 50, "items": { "$ref": "Uuid" } }, "deploymentIds": { "type": "array", "maxItems": 50, "items": { "$ref": "Uuid" } }, "previewIds": { "type": "array", "maxItems": 50, "items": { "$ref": "Uuid" } }, "containerIds": { "type": "array", "maxItems": 50, "items": { "type": "string", "pattern": "^[0-9a-f]{64}$" } }, "environments": { "type": "array", "maxItems": 2, "items": { "$ref": "LogEnvironment" } }, "services": { "type": "array", "maxItems": 50, "items": { "type": "string", "minLength": 1, "maxLength": 128 } }, "severities": { "type": "array", "maxItems": 7, "items": { "$ref": "Severity" } }, "search": { "type": "string", "maxLength": 512 }, "traceId": { "type": "string", "pattern": "^[0-9a-f]{32}$" }, "attributes": { "type": "array", "maxItems": 8, "items": { "$ref": "AttributeFilter" } } }, "$id": "LogTailFilters" };
function validate98(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.from === void 0 && (missing0 = "from") || data.to === void 0 && (missing0 = "to")) {
        validate98.errors = [{ instancePath, keyword: "required", params: { missingProperty: missing0 } }];
        return false;
      } else {
        const _errs1 = errors;
        for (const key0 in data) {
          if (!func1.call(schema40.properties, key0)) {
            validate98.errors = [{ instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } }];
            return false;
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.from !== void 0) {
            const _errs2 = errors;
            if (!validate73(data.from, { instancePath: instancePath + "/from", parentData: data, parentDataProperty: "from", rootData, dynamicAnchors })) {
              vErrors = vErrors === null ? validate73.errors : vErrors.concat(validate73.errors);
              errors = vErrors.length;
            }
            var valid0 = _errs2 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.to !== void 0) {
              const _errs3 = errors;
              if (!validate73(data.to, { instancePath: instancePath + "/to", parentData: data, parentDataProperty: "to", rootData, dynamicAnchors })) {
                vErrors = vErrors === null ? validate73.errors : vErrors.concat(validate73.errors);
                errors = vErrors.length;
              }
              var valid0 = _errs3 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.workloadIds !== void 0) {
                let data2 = data.workloadIds;
                const _errs4 = errors;
                if (errors === _errs4) {
                  if (Array.isArray(data2)) {
                    if (data2.length > 50) {
                      validate98.errors = [{ instancePath: instancePath + "/workloadIds", keyword: "maxItems", params: { limit: 50 } }];
                      return false;
                    } else {
                      var valid1 = true;
                      const len0 = data2.length;
                      for (let i0 = 0; i0 < len0; i0++) {
                        const _errs6 = errors;
                        if (!validate76(data2[i0], { instancePath: instancePath + "/workloadIds/" + i0, parentData: data2, parentDataProperty: i0, rootData, dynamicAnchors })) {
                          vErrors = vErrors === null ? validate76.errors : vErrors.concat(validate76.errors);
                          errors = vErrors.length;
                        }
                        var valid1 = _errs6 === errors;
                        if (!valid1) {
                          break;
                        }
                      }
                    }
                  } else {
                    validate98.errors = [{ instancePath: instancePath + "/workloadIds", keyword: "type", params: { type: "array" } }];
                    return false;
                  }
                }
                var valid0 = _errs4 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.serverIds !== void 0) {
                  let data4 = data.serverIds;
                  const _errs7 = errors;
                  if (errors === _errs7) {
                    if (Array.isArray(data4)) {
                      if (data4.length > 50) {
                        validate98.errors = [{ instancePath: instancePath + "/serverIds", keyword: "maxItems", params: { limit: 50 } }];
                        return false;
                      } else {
                        var valid2 = true;
                        const len1 = data4.length;
                        for (let i1 = 0; i1 < len1; i1++) {
                          const _errs9 = errors;
                          if (!validate76(data4[i1], { instancePath: instancePath + "/serverIds/" + i1, parentData: data4, parentDataProperty: i1, rootData, dynamicAnchors })) {
                            vErrors = vErrors === null ? validate76.errors : vErrors.concat(validate76.errors);
                            errors = vErrors.length;
                          }
                          var valid2 = _errs9 === errors;
                          if (!valid2) {
                            break;
                          }
                        }
                      }
                    } else {
                      validate98.errors = [{ instancePath: instancePath + "/serverIds", keyword: "type", params: { type: "array" } }];
                      return false;
                    }
                  }
                  var valid0 = _errs7 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.deploymentIds !== void 0) {
                    let data6 = data.deploymentIds;
                    const _errs10 = errors;
                    if (errors === _errs10) {
                      if (Array.isArray(data6)) {
                        if (data6.length > 50) {
                          validate98.errors = [{ instancePath: instancePath + "/deploymentIds", keyword: "maxItems", params: { limit: 50 } }];
                          return false;
                        } else {
                          var valid3 = true;
                          const len2 = data6.length;
                          for (let i2 = 0; i2 < len2; i2++) {
                            const _errs12 = errors;
                            if (!validate76(data6[i2], { instancePath: instancePath + "/deploymentIds/" + i2, parentData: data6, parentDataProperty: i2, rootData, dynamicAnchors })) {
                              vErrors = vErrors === null ? validate76.errors : vErrors.concat(validate76.errors);
                              errors = vErrors.length;
                            }
                            var valid3 = _errs12 === errors;
                            if (!valid3) {
                              break;
                            }
                          }
                        }
                      } else {
                        validate98.errors = [{ instancePath: instancePath + "/deploymentIds", keyword: "type", params: { type: "array" } }];
                        return false;
                      }
                    }
                    var valid0 = _errs10 === errors;
                  } else {
                    var valid0 = true;
                  }
                  if (valid0) {
                    if (data.previewIds !== void 0) {
                      let data8 = data.previewIds;
                      const _errs13 = errors;
                      if (errors === _errs13) {
                        if (Array.isArray(data8)) {
                          if (data8.length > 50) {
                            validate98.errors = [{ instancePath: instancePath + "/previewIds", keyword: "maxItems", params: { limit: 50 } }];
                            return false;
                          } else {
                            var valid4 = true;
                            const len3 = data8.length;
                            for (let i3 = 0; i3 < len3; i3++) {
                              const _errs15 = errors;
                              if (!validate76(data8[i3], { instancePath: instancePath + "/previewIds/" + i3, parentData: data8, parentDataProperty: i3, rootData, dynamicAnchors })) {
                                vErrors = vErrors === null ? validate76.errors : vErrors.concat(validate76.errors);
                                errors = vErrors.length;
                              }
                              var valid4 = _errs15 === errors;
                              if (!valid4) {
                                break;
                              }
                            }
                          }
                        } else {
                          validate98.errors = [{ instancePath: instancePath + "/previewIds", keyword: "type", params: { type: "array" } }];
                          return false;
                        }
                      }
                      var valid0 = _errs13 === errors;
                    } else {
                      var valid0 = true;
                    }
                    if (valid0) {
                      if (data.containerIds !== void 0) {
                        let data10 = data.containerIds;
                        const _errs16 = errors;
                        if (errors === _errs16) {
                          if (Array.isArray(data10)) {
                            if (data10.length > 50) {
                              validate98.errors = [{ instancePath: instancePath + "/containerIds", keyword: "maxItems", params: { limit: 50 } }];
                              return false;
                            } else {
                              var valid5 = true;
                              const len4 = data10.length;
                              for (let i4 = 0; i4 < len4; i4++) {
                                let data11 = data10[i4];
                                const _errs18 = errors;
                                if (errors === _errs18) {
                                  if (typeof data11 === "string") {
                                    if (!pattern5.test(data11)) {
                                      validate98.errors = [{ instancePath: instancePath + "/containerIds/" + i4, keyword: "pattern", params: {} }];
                                      return false;
                                    }
                                  } else {
                                    validate98.errors = [{ instancePath: instancePath + "/containerIds/" + i4, keyword: "type", params: { type: "string" } }];
                                    return false;
                                  }
                                }
                                var valid5 = _errs18 === errors;
                                if (!valid5) {
                                  break;
                                }
                              }
                            }
                          } else {
                            validate98.errors = [{ instancePath: instancePath + "/containerIds", keyword: "type", params: { type: "array" } }];
                            return false;
                          }
                        }
                        var valid0 = _errs16 === errors;
                      } else {
                        var valid0 = true;
                      }
                      if (valid0) {
                        if (data.environments !== void 0) {
                          let data12 = data.environments;
                          const _errs20 = errors;
                          if (errors === _errs20) {
                            if (Array.isArray(data12)) {
                              if (data12.length > 2) {
                                validate98.errors = [{ instancePath: instancePath + "/environments", keyword: "maxItems", params: { limit: 2 } }];
                                return false;
                              } else {
                                var valid6 = true;
                                const len5 = data12.length;
                                for (let i5 = 0; i5 < len5; i5++) {
                                  const _errs22 = errors;
                                  if (!validate54(data12[i5], { instancePath: instancePath + "/environments/" + i5, parentData: data12, parentDataProperty: i5, rootData, dynamicAnchors })) {
                                    vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
                                    errors = vErrors.length;
                                  }
                                  var valid6 = _errs22 === errors;
                                  if (!valid6) {
                                    break;
                                  }
                                }
                              }
                            } else {
                              validate98.errors = [{ instancePath: instancePath + "/environments", keyword: "type", params: { type: "array" } }];
                              return false;
                            }
                          }
                          var valid0 = _errs20 === errors;
                        } else {
                          var valid0 = true;
                        }
                        if (valid0) {
                          if (data.services !== void 0) {
                            let data14 = data.services;
                            const _errs23 = errors;
                            if (errors === _errs23) {
                              if (Array.isArray(data14)) {
                                if (data14.length > 50) {
                                  validate98.errors = [{ instancePath: instancePath + "/services", keyword: "maxItems", params: { limit: 50 } }];
                                  return false;
                                } else {
                                  var valid7 = true;
                                  const len6 = data14.length;
                                  for (let i6 = 0; i6 < len6; i6++) {
                                    let data15 = data14[i6];
                                    const _errs25 = errors;
                                    if (errors === _errs25) {
                                      if (typeof data15 === "string") {
                                        if (func2(data15) > 128) {
                                          validate98.errors = [{ instancePath: instancePath + "/services/" + i6, keyword: "maxLength", params: { limit: 128 } }];
                                          return false;
                                        } else {
                                          if (func2(data15) < 1) {
                                            validate98.errors = [{ instancePath: instancePath + "/services/" + i6, keyword: "minLength", params: { limit: 1 } }];
                                            return false;
                                          }
                                        }
                                      } else {
                                        validate98.errors = [{ instancePath: instancePath + "/services/" + i6, keyword: "type", params: { type: "string" } }];
                                        return false;
                                      }
                                    }
                                    var valid7 = _errs25 === errors;
                                    if (!valid7) {
                                      break;
                                    }
                                  }
                                }
                              } else {
                                validate98.errors = [{ instancePath: instancePath + "/services", keyword: "type", params: { type: "array" } }];
                                return false;
                              }
                            }
                            var valid0 = _errs23 === errors;
                          } else {
                            var valid0 = true;
                          }
                          if (valid0) {
                            if (data.severities !== void 0) {
                              let data16 = data.severities;
                              const _errs27 = errors;
                              if (errors === _errs27) {
                                if (Array.isArray(data16)) {
                                  if (data16.length > 7) {
                                    validate98.errors = [{ instancePath: instancePath + "/severities", keyword: "maxItems", params: { limit: 7 } }];
                                    return false;
                                  } else {
                                    var valid8 = true;
                                    const len7 = data16.length;
                                    for (let i7 = 0; i7 < len7; i7++) {
                                      const _errs29 = errors;
                                      if (!validate56(data16[i7], { instancePath: instancePath + "/severities/" + i7, parentData: data16, parentDataProperty: i7, rootData, dynamicAnchors })) {
                                        vErrors = vErrors === null ? validate56.errors : vErrors.concat(validate56.errors);
                                        errors = vErrors.length;
                                      }
                                      var valid8 = _errs29 === errors;
                                      if (!valid8) {
                                        break;
                                      }
                                    }
                                  }
                                } else {
                                  validate98.errors = [{ instancePath: instancePath + "/severities", keyword: "type", params: { type: "array" } }];
                                  return false;
                                }
                              }
                              var valid0 = _errs27 === errors;
                            } else {
                              var valid0 = true;
                            }
                            if (valid0) {
                              if (data.search !== void 0) {
                                let data18 = data.search;
                                const _errs30 = errors;
                                if (errors === _errs30) {
                                  if (typeof data18 === "string") {
                                    if (func2(data18) > 512) {
                                      validate98.errors = [{ instancePath: instancePath + "/search", keyword: "maxLength", params: { limit: 512 } }];
                                      return false;
                                    }
                                  } else {
                                    validate98.errors = [{ instancePath: instancePath + "/search", keyword: "type", params: { type: "string" } }];
                                    return false;
                                  }
                                }
                                var valid0 = _errs30 === errors;
                              } else {
                                var valid0 = true;
                              }
                              if (valid0) {
                                if (data.traceId !== void 0) {
                                  let data19 = data.traceId;
                                  const _errs32 = errors;
                                  if (errors === _errs32) {
                                    if (typeof data19 === "string") {
                                      if (!pattern6.test(data19)) {
                                        validate98.errors = [{ instancePath: instancePath + "/traceId", keyword: "pattern", params: {} }];
                                        return false;
                                      }
                                    } else {
                                      validate98.errors = [{ instancePath: instancePath + "/traceId", keyword: "type", params: { type: "string" } }];
                                      return false;
                                    }
                                  }
                                  var valid0 = _errs32 === errors;
                                } else {
                                  var valid0 = true;
                                }
                                if (valid0) {
                                  if (data.attributes !== void 0) {
                                    let data20 = data.attributes;
                                    const _errs34 = errors;
                                    if (errors === _errs34) {
                                      if (Array.isArray(data20)) {
                                        if (data20.length > 8) {
                                          validate98.errors = [{ instancePath: instancePath + "/attributes", keyword: "maxItems", params: { limit: 8 } }];
                                          return false;
                                        } else {
                                          var valid9 = true;
                                          const len8 = data20.length;
                                          for (let i8 = 0; i8 < len8; i8++) {
                                            const _errs36 = errors;
                                            if (!validate83(data20[i8], { instancePath: instancePath + "/attributes/" + i8, parentData: data20, parentDataProperty: i8, rootData, dynamicAnchors })) {
                                              vErrors = vErrors === null ? validate83.errors : vErrors.concat(validate83.errors);
                                              errors = vErrors.length;
                                            }
                                            var valid9 = _errs36 === errors;
                                            if (!valid9) {
                                              break;
                                            }
                                          }
                                        }
                                      } else {
                                        validate98.errors = [{ instancePath: instancePath + "/attributes", keyword: "type", params: { type: "array" } }];
                                        return false;
                                      }
                                    }
                                    var valid0 = _errs34 === errors;
                                  } else {
                                    var valid0 = true;
                                  }
                                }
                              }
                            }
                          }
                        }
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    } else {
      validate98.errors = [{ instancePath, keyword: "type", params: { type: "object" } }];
      return false;
    }
  }
  validate98.errors = vErrors;
  return errors === 0;
}
function validate97(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.filters === void 0 && (missing0 = "filters")) {
        validate97.errors = [{ instancePath, keyword: "required", params: { missingProperty: missing0 } }];
        return false;
      } else {
        const _errs1 = errors;
        for (const key0 in data) {
          if (!(key0 === "filters" || key0 === "cursor")) {
            validate97.errors = [{ instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } }];
            return false;
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.filters !== void 0) {
            const _errs2 = errors;
            if (!validate98(data.filters, { instancePath: instancePath + "/filters", parentData: data, parentDataProperty: "filters", rootData, dynamicAnchors })) {
              vErrors = vErrors === null ? validate98.errors : vErrors.concat(validate98.errors);
              errors = vErrors.length;
            }
            var valid0 = _errs2 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.cursor !== void 0) {
              const _errs3 = errors;
              if (!validate95(data.cursor, { instancePath: instancePath + "/cursor", parentData: data, parentDataProperty: "cursor", rootData, dynamicAnchors })) {
                vErrors = vErrors === null ? validate95.errors : vErrors.concat(validate95.errors);
                errors = vErrors.length;
              }
              var valid0 = _errs3 === errors;
            } else {
              var valid0 = true;
            }
          }
        }
      }
    } else {
      validate97.errors = [{ instancePath, keyword: "type", params: { type: "object" } }];
      return false;
    }
  }
  validate97.errors = vErrors;
  return errors === 0;
}
var CleanupRequest = validate110;
function validate110(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.items === void 0 && (missing0 = "items")) {
        validate110.errors = [{ instancePath, keyword: "required", params: { missingProperty: missing0 } }];
        return false;
      } else {
        const _errs1 = errors;
        for (const key0 in data) {
          if (!(key0 === "items")) {
            validate110.errors = [{ instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } }];
            return false;
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.items !== void 0) {
            let data0 = data.items;
            const _errs2 = errors;
            if (errors === _errs2) {
              if (Array.isArray(data0)) {
                if (data0.length > 100) {
                  validate110.errors = [{ instancePath: instancePath + "/items", keyword: "maxItems", params: { limit: 100 } }];
                  return false;
                } else {
                  if (data0.length < 1) {
                    validate110.errors = [{ instancePath: instancePath + "/items", keyword: "minItems", params: { limit: 1 } }];
                    return false;
                  } else {
                    var valid1 = true;
                    const len0 = data0.length;
                    for (let i0 = 0; i0 < len0; i0++) {
                      let data1 = data0[i0];
                      const _errs4 = errors;
                      if (errors === _errs4) {
                        if (data1 && typeof data1 == "object" && !Array.isArray(data1)) {
                          let missing1;
                          if (data1.name === void 0 && (missing1 = "name")) {
                            validate110.errors = [{ instancePath: instancePath + "/items/" + i0, keyword: "required", params: { missingProperty: missing1 } }];
                            return false;
                          } else {
                            const _errs6 = errors;
                            for (const key1 in data1) {
                              if (!(key1 === "name")) {
                                validate110.errors = [{ instancePath: instancePath + "/items/" + i0, keyword: "additionalProperties", params: { additionalProperty: key1 } }];
                                return false;
                                break;
                              }
                            }
                            if (_errs6 === errors) {
                              if (data1.name !== void 0) {
                                if (typeof data1.name !== "string") {
                                  validate110.errors = [{ instancePath: instancePath + "/items/" + i0 + "/name", keyword: "type", params: { type: "string" } }];
                                  return false;
                                }
                              }
                            }
                          }
                        } else {
                          validate110.errors = [{ instancePath: instancePath + "/items/" + i0, keyword: "type", params: { type: "object" } }];
                          return false;
                        }
                      }
                      var valid1 = _errs4 === errors;
                      if (!valid1) {
                        break;
                      }
                    }
                  }
                }
              } else {
                validate110.errors = [{ instancePath: instancePath + "/items", keyword: "type", params: { type: "array" } }];
                return false;
              }
            }
          }
        }
      }
    } else {
      validate110.errors = [{ instancePath, keyword: "type", params: { type: "object" } }];
      return false;
    }
  }
  validate110.errors = vErrors;
  return errors === 0;
}
var ErrorResponse = validate111;
function validate111(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.error === void 0 && (missing0 = "error")) {
        validate111.errors = [{ instancePath, keyword: "required", params: { missingProperty: missing0 } }];
        return false;
      } else {
        if (data.error !== void 0) {
          let data0 = data.error;
          const _errs1 = errors;
          if (errors === _errs1) {
            if (data0 && typeof data0 == "object" && !Array.isArray(data0)) {
              let missing1;
              if (data0.code === void 0 && (missing1 = "code") || data0.message === void 0 && (missing1 = "message") || data0.requestId === void 0 && (missing1 = "requestId")) {
                validate111.errors = [{ instancePath: instancePath + "/error", keyword: "required", params: { missingProperty: missing1 } }];
                return false;
              } else {
                if (data0.code !== void 0) {
                  const _errs3 = errors;
                  if (typeof data0.code !== "string") {
                    validate111.errors = [{ instancePath: instancePath + "/error/code", keyword: "type", params: { type: "string" } }];
                    return false;
                  }
                  var valid1 = _errs3 === errors;
                } else {
                  var valid1 = true;
                }
                if (valid1) {
                  if (data0.message !== void 0) {
                    const _errs5 = errors;
                    if (typeof data0.message !== "string") {
                      validate111.errors = [{ instancePath: instancePath + "/error/message", keyword: "type", params: { type: "string" } }];
                      return false;
                    }
                    var valid1 = _errs5 === errors;
                  } else {
                    var valid1 = true;
                  }
                  if (valid1) {
                    if (data0.requestId !== void 0) {
                      const _errs7 = errors;
                      if (typeof data0.requestId !== "string") {
                        validate111.errors = [{ instancePath: instancePath + "/error/requestId", keyword: "type", params: { type: "string" } }];
                        return false;
                      }
                      var valid1 = _errs7 === errors;
                    } else {
                      var valid1 = true;
                    }
                  }
                }
              }
            } else {
              validate111.errors = [{ instancePath: instancePath + "/error", keyword: "type", params: { type: "object" } }];
              return false;
            }
          }
        }
      }
    } else {
      validate111.errors = [{ instancePath, keyword: "type", params: { type: "object" } }];
      return false;
    }
  }
  validate111.errors = vErrors;
  return errors === 0;
}
validate111.evaluated = { "props": { "error": true }, "dynamicProps": false, "dynamicItems": false };
var parameters_post_servers_cleanup_orphans = validate112;
function validate112(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.serverId === void 0 && (missing0 = "serverId") || data["Idempotency-Key"] === void 0 && (missing0 = "Idempotency-Key")) {
        validate112.errors = [{ instancePath, keyword: "required", params: { missingProperty: missing0 } }];
        return false;
      } else {
        const _errs1 = errors;
        for (const key0 in data) {
          if (!(key0 === "serverId" || key0 === "Idempotency-Key")) {
            validate112.errors = [{ instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } }];
            return false;
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.serverId !== void 0) {
            const _errs2 = errors;
            if (!validate76(data.serverId, { instancePath: instancePath + "/serverId", parentData: data, parentDataProperty: "serverId", rootData, dynamicAnchors })) {
              vErrors = vErrors === null ? validate76.errors : vErrors.concat(validate76.errors);
              errors = vErrors.length;
            }
            var valid0 = _errs2 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data["Idempotency-Key"] !== void 0) {
              let data1 = data["Idempotency-Key"];
              const _errs3 = errors;
              if (errors === _errs3) {
                if (typeof data1 === "string") {
                  if (func2(data1) > 255) {
                    validate112.errors = [{ instancePath: instancePath + "/Idempotency-Key", keyword: "maxLength", params: { limit: 255 } }];
                    return false;
                  } else {
                    if (func2(data1) < 1) {
                      validate112.errors = [{ instancePath: instancePath + "/Idempotency-Key", keyword: "minLength", params: { limit: 1 } }];
                      return false;
                    }
                  }
                } else {
                  validate112.errors = [{ instancePath: instancePath + "/Idempotency-Key", keyword: "type", params: { type: "string" } }];
                  return false;
                }
              }
              var valid0 = _errs3 === errors;
            } else {
              var valid0 = true;
            }
          }
        }
      }
    } else {
      validate112.errors = [{ instancePath, keyword: "type", params: { type: "object" } }];
      return false;
    }
  }
  validate112.errors = vErrors;
  return errors === 0;
}
var parameters_get_servers_monitor_alerts = validate114;
function validate114(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.serverId === void 0 && (missing0 = "serverId")) {
        validate114.errors = [{ instancePath, keyword: "required", params: { missingProperty: missing0 } }];
        return false;
      } else {
        const _errs1 = errors;
        for (const key0 in data) {
          if (!(key0 === "serverId" || key0 === "deployableId")) {
            validate114.errors = [{ instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } }];
            return false;
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.serverId !== void 0) {
            const _errs2 = errors;
            if (!validate76(data.serverId, { instancePath: instancePath + "/serverId", parentData: data, parentDataProperty: "serverId", rootData, dynamicAnchors })) {
              vErrors = vErrors === null ? validate76.errors : vErrors.concat(validate76.errors);
              errors = vErrors.length;
            }
            var valid0 = _errs2 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.deployableId !== void 0) {
              const _errs3 = errors;
              if (!validate76(data.deployableId, { instancePath: instancePath + "/deployableId", parentData: data, parentDataProperty: "deployableId", rootData, dynamicAnchors })) {
                vErrors = vErrors === null ? validate76.errors : vErrors.concat(validate76.errors);
                errors = vErrors.length;
              }
              var valid0 = _errs3 === errors;
            } else {
              var valid0 = true;
            }
          }
        }
      }
    } else {
      validate114.errors = [{ instancePath, keyword: "type", params: { type: "object" } }];
      return false;
    }
  }
  validate114.errors = vErrors;
  return errors === 0;
}
var parameters_get_sources_resources = validate117;
function validate117(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.sourceId === void 0 && (missing0 = "sourceId")) {
        validate117.errors = [{ instancePath, keyword: "required", params: { missingProperty: missing0 } }];
        return false;
      } else {
        const _errs1 = errors;
        for (const key0 in data) {
          if (!(key0 === "sourceId")) {
            validate117.errors = [{ instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } }];
            return false;
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.sourceId !== void 0) {
            if (!validate76(data.sourceId, { instancePath: instancePath + "/sourceId", parentData: data, parentDataProperty: "sourceId", rootData, dynamicAnchors })) {
              vErrors = vErrors === null ? validate76.errors : vErrors.concat(validate76.errors);
              errors = vErrors.length;
            }
          }
        }
      }
    } else {
      validate117.errors = [{ instancePath, keyword: "type", params: { type: "object" } }];
      return false;
    }
  }
  validate117.errors = vErrors;
  return errors === 0;
}
var parameters_get_sources_secrets = validate119;
var pattern10 = new RegExp("^(?:preview:)?[a-z][a-z0-9-]{0,62}$", "u");
function validate119(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.ownerId === void 0 && (missing0 = "ownerId")) {
        validate119.errors = [{ instancePath, keyword: "required", params: { missingProperty: missing0 } }];
        return false;
      } else {
        const _errs1 = errors;
        for (const key0 in data) {
          if (!(key0 === "ownerId" || key0 === "environment")) {
            validate119.errors = [{ instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } }];
            return false;
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.ownerId !== void 0) {
            const _errs2 = errors;
            if (!validate76(data.ownerId, { instancePath: instancePath + "/ownerId", parentData: data, parentDataProperty: "ownerId", rootData, dynamicAnchors })) {
              vErrors = vErrors === null ? validate76.errors : vErrors.concat(validate76.errors);
              errors = vErrors.length;
            }
            var valid0 = _errs2 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.environment !== void 0) {
              let data1 = data.environment;
              const _errs3 = errors;
              if (errors === _errs3) {
                if (typeof data1 === "string") {
                  if (func2(data1) > 80) {
                    validate119.errors = [{ instancePath: instancePath + "/environment", keyword: "maxLength", params: { limit: 80 } }];
                    return false;
                  } else {
                    if (!pattern10.test(data1)) {
                      validate119.errors = [{ instancePath: instancePath + "/environment", keyword: "pattern", params: {} }];
                      return false;
                    }
                  }
                } else {
                  validate119.errors = [{ instancePath: instancePath + "/environment", keyword: "type", params: { type: "string" } }];
                  return false;
                }
              }
              var valid0 = _errs3 === errors;
            } else {
              var valid0 = true;
            }
          }
        }
      }
    } else {
      validate119.errors = [{ instancePath, keyword: "type", params: { type: "object" } }];
      return false;
    }
  }
  validate119.errors = vErrors;
  return errors === 0;
}
var parameters_get_repositories = validate121;
function validate121(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      const _errs1 = errors;
      for (const key0 in data) {
        if (!(key0 === "search" || key0 === "page")) {
          validate121.errors = [{ instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } }];
          return false;
          break;
        }
      }
      if (_errs1 === errors) {
        if (data.search !== void 0) {
          let data0 = data.search;
          const _errs2 = errors;
          if (errors === _errs2) {
            if (typeof data0 === "string") {
              if (func2(data0) > 64) {
                validate121.errors = [{ instancePath: instancePath + "/search", keyword: "maxLength", params: { limit: 64 } }];
                return false;
              } else {
                if (func2(data0) < 1) {
                  validate121.errors = [{ instancePath: instancePath + "/search", keyword: "minLength", params: { limit: 1 } }];
                  return false;
                }
              }
            } else {
              validate121.errors = [{ instancePath: instancePath + "/search", keyword: "type", params: { type: "string" } }];
              return false;
            }
          }
          var valid0 = _errs2 === errors;
        } else {
          var valid0 = true;
        }
        if (valid0) {
          if (data.page !== void 0) {
            let data1 = data.page;
            const _errs4 = errors;
            if (!(typeof data1 == "number" && (!(data1 % 1) && !isNaN(data1)) && isFinite(data1))) {
              validate121.errors = [{ instancePath: instancePath + "/page", keyword: "type", params: { type: "integer" } }];
              return false;
            }
            if (errors === _errs4) {
              if (typeof data1 == "number" && isFinite(data1)) {
                if (data1 > 1e4 || isNaN(data1)) {
                  validate121.errors = [{ instancePath: instancePath + "/page", keyword: "maximum", params: { comparison: "<=", limit: 1e4 } }];
                  return false;
                } else {
                  if (data1 < 1 || isNaN(data1)) {
                    validate121.errors = [{ instancePath: instancePath + "/page", keyword: "minimum", params: { comparison: ">=", limit: 1 } }];
                    return false;
                  }
                }
              }
            }
            var valid0 = _errs4 === errors;
          } else {
            var valid0 = true;
          }
        }
      }
    } else {
      validate121.errors = [{ instancePath, keyword: "type", params: { type: "object" } }];
      return false;
    }
  }
  validate121.errors = vErrors;
  return errors === 0;
}
var parameters_get_resources_deployments = validate122;
function validate122(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.resourceId === void 0 && (missing0 = "resourceId")) {
        validate122.errors = [{ instancePath, keyword: "required", params: { missingProperty: missing0 } }];
        return false;
      } else {
        const _errs1 = errors;
        for (const key0 in data) {
          if (!(key0 === "resourceId")) {
            validate122.errors = [{ instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } }];
            return false;
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.resourceId !== void 0) {
            if (!validate76(data.resourceId, { instancePath: instancePath + "/resourceId", parentData: data, parentDataProperty: "resourceId", rootData, dynamicAnchors })) {
              vErrors = vErrors === null ? validate76.errors : vErrors.concat(validate76.errors);
              errors = vErrors.length;
            }
          }
        }
      }
    } else {
      validate122.errors = [{ instancePath, keyword: "type", params: { type: "object" } }];
      return false;
    }
  }
  validate122.errors = vErrors;
  return errors === 0;
}
var parameters_post_sources_environments_syncs = validate124;
function validate124(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.sourceId === void 0 && (missing0 = "sourceId") || data.environmentId === void 0 && (missing0 = "environmentId")) {
        validate124.errors = [{ instancePath, keyword: "required", params: { missingProperty: missing0 } }];
        return false;
      } else {
        const _errs1 = errors;
        for (const key0 in data) {
          if (!(key0 === "sourceId" || key0 === "environmentId")) {
            validate124.errors = [{ instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } }];
            return false;
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.sourceId !== void 0) {
            const _errs2 = errors;
            if (!validate76(data.sourceId, { instancePath: instancePath + "/sourceId", parentData: data, parentDataProperty: "sourceId", rootData, dynamicAnchors })) {
              vErrors = vErrors === null ? validate76.errors : vErrors.concat(validate76.errors);
              errors = vErrors.length;
            }
            var valid0 = _errs2 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.environmentId !== void 0) {
              const _errs3 = errors;
              if (!validate76(data.environmentId, { instancePath: instancePath + "/environmentId", parentData: data, parentDataProperty: "environmentId", rootData, dynamicAnchors })) {
                vErrors = vErrors === null ? validate76.errors : vErrors.concat(validate76.errors);
                errors = vErrors.length;
              }
              var valid0 = _errs3 === errors;
            } else {
              var valid0 = true;
            }
          }
        }
      }
    } else {
      validate124.errors = [{ instancePath, keyword: "type", params: { type: "object" } }];
      return false;
    }
  }
  validate124.errors = vErrors;
  return errors === 0;
}
var parameters_get_operation = validate127;
function validate127(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.operationId === void 0 && (missing0 = "operationId")) {
        validate127.errors = [{ instancePath, keyword: "required", params: { missingProperty: missing0 } }];
        return false;
      } else {
        const _errs1 = errors;
        for (const key0 in data) {
          if (!(key0 === "operationId")) {
            validate127.errors = [{ instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } }];
            return false;
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.operationId !== void 0) {
            let data0 = data.operationId;
            const _errs2 = errors;
            if (errors === _errs2) {
              if (typeof data0 === "string") {
                if (func2(data0) > 255) {
                  validate127.errors = [{ instancePath: instancePath + "/operationId", keyword: "maxLength", params: { limit: 255 } }];
                  return false;
                } else {
                  if (func2(data0) < 1) {
                    validate127.errors = [{ instancePath: instancePath + "/operationId", keyword: "minLength", params: { limit: 1 } }];
                    return false;
                  }
                }
              } else {
                validate127.errors = [{ instancePath: instancePath + "/operationId", keyword: "type", params: { type: "string" } }];
                return false;
              }
            }
          }
        }
      }
    } else {
      validate127.errors = [{ instancePath, keyword: "type", params: { type: "object" } }];
      return false;
    }
  }
  validate127.errors = vErrors;
  return errors === 0;
}
export {
  CleanupRequest,
  ErrorResponse,
  LogPage,
  LogQueryRequest,
  LogQueryResponse,
  LogTailRequest,
  parameters_get_operation,
  parameters_get_repositories,
  parameters_get_resources_deployments,
  parameters_get_servers_monitor_alerts,
  parameters_get_sources_resources,
  parameters_get_sources_secrets,
  parameters_post_servers_cleanup_orphans,
  parameters_post_sources_environments_syncs
};

// Generated from src/api/openapi.json by `npm run generate`. Do not edit.
var __getOwnPropNames = Object.getOwnPropertyNames, __commonJS = (cb, mod) => function() {
  try {
    return mod || (0, cb[__getOwnPropNames(cb)[0]])((mod = { exports: {} }).exports, mod), mod.exports;
  } catch (e) {
    throw mod = 0, e;
  }
}, require_ucs2length = __commonJS({
  "node_modules/ajv/dist/runtime/ucs2length.js"(exports) {
    "use strict";
    Object.defineProperty(exports, "__esModule", { value: !0 });
    function ucs2length(str) {
      const len = str.length;
      let length = 0, pos = 0, value;
      for (; pos < len; )
        length++, value = str.charCodeAt(pos++), value >= 55296 && value <= 56319 && pos < len && (value = str.charCodeAt(pos), (value & 64512) === 56320 && pos++);
      return length;
    }
    exports.default = ucs2length, ucs2length.code = 'require("ajv/dist/runtime/ucs2length").default';
  }
}), LogPage = validate52;
function validate54(data, instancePath = "") {
  return typeof data != "string" ? fail(validate54, instancePath, "type", { type: "string" }) : data === "trace" || data === "debug" || data === "info" || data === "warn" || data === "error" || data === "fatal" || data === "unknown" ? !0 : fail(validate54, instancePath, "enum", { allowedValues: ["trace", "debug", "info", "warn", "error", "fatal", "unknown"] });
}
function validate53(data, instancePath = "") {
  if (data && typeof data == "object" && !Array.isArray(data)) {
    let missing0;
    if (data.eventId === void 0 && (missing0 = "eventId") || data.timestamp === void 0 && (missing0 = "timestamp") || data.ingestedAt === void 0 && (missing0 = "ingestedAt") || data.serverId === void 0 && (missing0 = "serverId") || data.workloadId === void 0 && (missing0 = "workloadId") || data.workloadName === void 0 && (missing0 = "workloadName") || data.deploymentId === void 0 && (missing0 = "deploymentId") || data.previewId === void 0 && (missing0 = "previewId") || data.environment === void 0 && (missing0 = "environment") || data.containerId === void 0 && (missing0 = "containerId") || data.service === void 0 && (missing0 = "service") || data.severity === void 0 && (missing0 = "severity") || data.stream === void 0 && (missing0 = "stream") || data.body === void 0 && (missing0 = "body") || data.attributes === void 0 && (missing0 = "attributes") || data.traceId === void 0 && (missing0 = "traceId") || data.spanId === void 0 && (missing0 = "spanId") || data.truncated === void 0 && (missing0 = "truncated"))
      return fail(validate53, instancePath, "required", { missingProperty: missing0 });
    if (data.eventId !== void 0 && typeof data.eventId != "string")
      return fail(validate53, instancePath + "/eventId", "type", { type: "string" });
    if (data.timestamp !== void 0 && typeof data.timestamp != "string")
      return fail(validate53, instancePath + "/timestamp", "type", { type: "string" });
    if (data.ingestedAt !== void 0 && typeof data.ingestedAt != "string")
      return fail(validate53, instancePath + "/ingestedAt", "type", { type: "string" });
    if (data.serverId !== void 0 && typeof data.serverId != "string")
      return fail(validate53, instancePath + "/serverId", "type", { type: "string" });
    if (data.workloadId !== void 0 && typeof data.workloadId != "string")
      return fail(validate53, instancePath + "/workloadId", "type", { type: "string" });
    if (data.workloadName !== void 0 && typeof data.workloadName != "string")
      return fail(validate53, instancePath + "/workloadName", "type", { type: "string" });
    if (data.deploymentId !== void 0) {
      let data6 = data.deploymentId;
      if (typeof data6 != "string" && data6 !== null)
        return fail(validate53, instancePath + "/deploymentId", "type", { type: ["string", "null"] });
    }
    if (data.previewId !== void 0) {
      let data7 = data.previewId;
      if (typeof data7 != "string" && data7 !== null)
        return fail(validate53, instancePath + "/previewId", "type", { type: ["string", "null"] });
    }
    if (data.environment !== void 0 && typeof data.environment != "string")
      return fail(validate53, instancePath + "/environment", "type", { type: "string" });
    if (data.containerId !== void 0 && typeof data.containerId != "string")
      return fail(validate53, instancePath + "/containerId", "type", { type: "string" });
    if (data.service !== void 0 && typeof data.service != "string")
      return fail(validate53, instancePath + "/service", "type", { type: "string" });
    if (data.severity !== void 0 && !validate54(data.severity, instancePath + "/severity"))
      return failAs(validate53, validate54);
    if (data.stream !== void 0 && typeof data.stream != "string")
      return fail(validate53, instancePath + "/stream", "type", { type: "string" });
    if (data.body !== void 0 && typeof data.body != "string")
      return fail(validate53, instancePath + "/body", "type", { type: "string" });
    if (data.attributes !== void 0) {
      let data14 = data.attributes;
      if (data14 && typeof data14 == "object" && !Array.isArray(data14)) {
        for (const key0 in data14)
          if (typeof data14[key0] != "string")
            return fail(validate53, instancePath + "/attributes/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"), "type", { type: "string" });
      } else
        return fail(validate53, instancePath + "/attributes", "type", { type: "object" });
    }
    if (data.traceId !== void 0) {
      let data16 = data.traceId;
      if (typeof data16 != "string" && data16 !== null)
        return fail(validate53, instancePath + "/traceId", "type", { type: ["string", "null"] });
    }
    if (data.spanId !== void 0) {
      let data17 = data.spanId;
      if (typeof data17 != "string" && data17 !== null)
        return fail(validate53, instancePath + "/spanId", "type", { type: ["string", "null"] });
    }
    if (data.truncated !== void 0 && typeof data.truncated != "boolean")
      return fail(validate53, instancePath + "/truncated", "type", { type: "boolean" });
  } else
    return fail(validate53, instancePath, "type", { type: "object" });
  return !0;
}
function validate52(data, instancePath = "") {
  if (data && typeof data == "object" && !Array.isArray(data)) {
    let missing0;
    if (data.accessRevision === void 0 && (missing0 = "accessRevision") || data.followCursor === void 0 && (missing0 = "followCursor") || data.records === void 0 && (missing0 = "records") || data.nextCursor === void 0 && (missing0 = "nextCursor") || data.hasMore === void 0 && (missing0 = "hasMore") || data.partial === void 0 && (missing0 = "partial") || data.snapshotAt === void 0 && (missing0 = "snapshotAt"))
      return fail(validate52, instancePath, "required", { missingProperty: missing0 });
    if (data.accessRevision !== void 0 && typeof data.accessRevision != "string")
      return fail(validate52, instancePath + "/accessRevision", "type", { type: "string" });
    if (data.followCursor !== void 0 && typeof data.followCursor != "string")
      return fail(validate52, instancePath + "/followCursor", "type", { type: "string" });
    if (data.records !== void 0) {
      let data2 = data.records;
      if (Array.isArray(data2)) {
        const len0 = data2.length;
        for (let i0 = 0; i0 < len0; i0++)
          if (!validate53(data2[i0], instancePath + "/records/" + i0))
            return failAs(validate52, validate53);
      } else
        return fail(validate52, instancePath + "/records", "type", { type: "array" });
    }
    if (data.nextCursor !== void 0) {
      let data4 = data.nextCursor;
      if (typeof data4 != "string" && data4 !== null)
        return fail(validate52, instancePath + "/nextCursor", "type", { type: ["string", "null"] });
    }
    if (data.hasMore !== void 0 && typeof data.hasMore != "boolean")
      return fail(validate52, instancePath + "/hasMore", "type", { type: "boolean" });
    if (data.partial !== void 0 && typeof data.partial != "boolean")
      return fail(validate52, instancePath + "/partial", "type", { type: "boolean" });
    if (data.snapshotAt !== void 0 && typeof data.snapshotAt != "string")
      return fail(validate52, instancePath + "/snapshotAt", "type", { type: "string" });
  } else
    return fail(validate52, instancePath, "type", { type: "object" });
  return !0;
}
var LogQueryResponse = validate57;
function validate60(data, instancePath = "") {
  return typeof data != "string" ? fail(validate60, instancePath, "type", { type: "string" }) : data === "day-short-month-year" || data === "short-month-day-year" || data === "year-month-day" || data === "day-month-year" || data === "month-day-year" ? !0 : fail(validate60, instancePath, "enum", { allowedValues: ["day-short-month-year", "short-month-day-year", "year-month-day", "day-month-year", "month-day-year"] });
}
function validate62(data, instancePath = "") {
  return typeof data != "string" ? fail(validate62, instancePath, "type", { type: "string" }) : data === "24-hour" || data === "12-hour" || data === "24-hour-seconds" || data === "12-hour-seconds" ? !0 : fail(validate62, instancePath, "enum", { allowedValues: ["24-hour", "12-hour", "24-hour-seconds", "12-hour-seconds"] });
}
function validate64(data, instancePath = "") {
  if (data && typeof data == "object" && !Array.isArray(data)) {
    let missing0;
    if (data.date === void 0 && (missing0 = "date") || data.time === void 0 && (missing0 = "time") || data.dateTime === void 0 && (missing0 = "dateTime") || data.timeZone === void 0 && (missing0 = "timeZone") || data.zoneLabel === void 0 && (missing0 = "zoneLabel") || data.epochMilliseconds === void 0 && (missing0 = "epochMilliseconds") || data.inputDateTime === void 0 && (missing0 = "inputDateTime"))
      return fail(validate64, instancePath, "required", { missingProperty: missing0 });
    for (const key0 in data)
      if (!(key0 === "date" || key0 === "time" || key0 === "dateTime" || key0 === "timeZone" || key0 === "zoneLabel" || key0 === "epochMilliseconds" || key0 === "inputDateTime"))
        return fail(validate64, instancePath, "additionalProperties", { additionalProperty: key0 });
    if (data.date !== void 0 && typeof data.date != "string")
      return fail(validate64, instancePath + "/date", "type", { type: "string" });
    if (data.time !== void 0) {
      let data1 = data.time;
      if (typeof data1 != "string" && data1 !== null)
        return fail(validate64, instancePath + "/time", "type", { type: ["string", "null"] });
    }
    if (data.dateTime !== void 0) {
      let data2 = data.dateTime;
      if (typeof data2 != "string" && data2 !== null)
        return fail(validate64, instancePath + "/dateTime", "type", { type: ["string", "null"] });
    }
    if (data.timeZone !== void 0 && typeof data.timeZone != "string")
      return fail(validate64, instancePath + "/timeZone", "type", { type: "string" });
    if (data.zoneLabel !== void 0 && typeof data.zoneLabel != "string")
      return fail(validate64, instancePath + "/zoneLabel", "type", { type: "string" });
    if (data.epochMilliseconds !== void 0) {
      let data5 = data.epochMilliseconds;
      if (!(typeof data5 == "number" && isFinite(data5)))
        return fail(validate64, instancePath + "/epochMilliseconds", "type", { type: "number" });
    }
    if (data.inputDateTime !== void 0) {
      let data6 = data.inputDateTime;
      if (typeof data6 != "string" && data6 !== null)
        return fail(validate64, instancePath + "/inputDateTime", "type", { type: ["string", "null"] });
    }
  } else
    return fail(validate64, instancePath, "type", { type: "object" });
  return !0;
}
function validate59(data, instancePath = "") {
  if (data && typeof data == "object" && !Array.isArray(data)) {
    let missing0;
    if (data.dateFormat === void 0 && (missing0 = "dateFormat") || data.timeFormat === void 0 && (missing0 = "timeFormat") || data.timeZone === void 0 && (missing0 = "timeZone") || data.timestamps === void 0 && (missing0 = "timestamps"))
      return fail(validate59, instancePath, "required", { missingProperty: missing0 });
    for (const key0 in data)
      if (!(key0 === "dateFormat" || key0 === "timeFormat" || key0 === "timeZone" || key0 === "timestamps"))
        return fail(validate59, instancePath, "additionalProperties", { additionalProperty: key0 });
    if (data.dateFormat !== void 0 && !validate60(data.dateFormat, instancePath + "/dateFormat"))
      return failAs(validate59, validate60);
    if (data.timeFormat !== void 0 && !validate62(data.timeFormat, instancePath + "/timeFormat"))
      return failAs(validate59, validate62);
    if (data.timeZone !== void 0 && typeof data.timeZone != "string")
      return fail(validate59, instancePath + "/timeZone", "type", { type: "string" });
    if (data.timestamps !== void 0) {
      let data3 = data.timestamps;
      if (data3 && typeof data3 == "object" && !Array.isArray(data3)) {
        for (const key1 in data3)
          if (!validate64(data3[key1], instancePath + "/timestamps/" + key1.replace(/~/g, "~0").replace(/\//g, "~1")))
            return failAs(validate59, validate64);
      } else
        return fail(validate59, instancePath + "/timestamps", "type", { type: "object" });
    }
  } else
    return fail(validate59, instancePath, "type", { type: "object" });
  return !0;
}
function validate57(data, instancePath = "") {
  if (!validate52(data, instancePath))
    return failAs(validate57, validate52);
  if (data && typeof data == "object" && !Array.isArray(data)) {
    let missing0;
    if (data.localization === void 0 && (missing0 = "localization"))
      return fail(validate57, instancePath, "required", { missingProperty: missing0 });
    if (data.localization !== void 0 && !validate59(data.localization, instancePath + "/localization"))
      return failAs(validate57, validate59);
  } else
    return fail(validate57, instancePath, "type", { type: "object" });
  return !0;
}
var LogQueryRequest = validate67, func1 = Object.prototype.hasOwnProperty, func2 = require_ucs2length().default, pattern3 = new RegExp("^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8])))T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d+)?Z$", "u");
function validate69(data, instancePath = "") {
  if (typeof data == "string") {
    if (!pattern3.test(data))
      return fail(validate69, instancePath, "pattern", {});
  } else
    return fail(validate69, instancePath, "type", { type: "string" });
  return !0;
}
var pattern4 = new RegExp("^(?:[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|[fF]{8}-[fF]{4}-[fF]{4}-[fF]{4}-[fF]{12})$", "u");
function validate72(data, instancePath = "") {
  if (typeof data == "string") {
    if (!pattern4.test(data))
      return fail(validate72, instancePath, "pattern", {});
  } else
    return fail(validate72, instancePath, "type", { type: "string" });
  return !0;
}
function validate77(data, instancePath = "") {
  return typeof data != "string" ? fail(validate77, instancePath, "type", { type: "string" }) : data === "production" || data === "preview" ? !0 : fail(validate77, instancePath, "enum", { allowedValues: ["production", "preview"] });
}
function validate80(data, instancePath = "") {
  if (data && typeof data == "object" && !Array.isArray(data)) {
    let missing0;
    if (data.key === void 0 && (missing0 = "key") || data.value === void 0 && (missing0 = "value"))
      return fail(validate80, instancePath, "required", { missingProperty: missing0 });
    for (const key0 in data)
      if (!(key0 === "key" || key0 === "value" || key0 === "operator"))
        return fail(validate80, instancePath, "additionalProperties", { additionalProperty: key0 });
    if (data.key !== void 0) {
      let data0 = data.key;
      if (typeof data0 == "string") {
        if (func2(data0) > 128)
          return fail(validate80, instancePath + "/key", "maxLength", { limit: 128 });
        if (func2(data0) < 1)
          return fail(validate80, instancePath + "/key", "minLength", { limit: 1 });
      } else
        return fail(validate80, instancePath + "/key", "type", { type: "string" });
    }
    if (data.value !== void 0) {
      let data1 = data.value;
      if (typeof data1 == "string") {
        if (func2(data1) > 512)
          return fail(validate80, instancePath + "/value", "maxLength", { limit: 512 });
      } else
        return fail(validate80, instancePath + "/value", "type", { type: "string" });
    }
    if (data.operator !== void 0) {
      let data2 = data.operator;
      if (typeof data2 != "string")
        return fail(validate80, instancePath + "/operator", "type", { type: "string" });
      if (!(data2 === "equals" || data2 === "contains"))
        return fail(validate80, instancePath + "/operator", "enum", { allowedValues: ["equals", "contains"] });
    }
  } else
    return fail(validate80, instancePath, "type", { type: "object" });
  return !0;
}
function validate82(data, instancePath = "") {
  return typeof data != "string" ? fail(validate82, instancePath, "type", { type: "string" }) : data === "stdout" || data === "stderr" ? !0 : fail(validate82, instancePath, "enum", { allowedValues: ["stdout", "stderr"] });
}
var pattern7 = new RegExp("^(?:serverId|workloadId|deploymentId|previewId|containerId|service|stream|traceId|spanId|attribute:[\\s\\S]{1,128})$", "u");
function validate86(data, instancePath = "") {
  if (typeof data == "string") {
    if (!pattern7.test(data))
      return fail(validate86, instancePath, "pattern", {});
  } else
    return fail(validate86, instancePath, "type", { type: "string" });
  return !0;
}
function validate88(data, instancePath = "") {
  return typeof data != "string" ? fail(validate88, instancePath, "type", { type: "string" }) : data === "equals" || data === "not_equals" || data === "contains" || data === "not_contains" || data === "starts_with" || data === "ends_with" || data === "exists" || data === "not_exists" ? !0 : fail(validate88, instancePath, "enum", { allowedValues: ["equals", "not_equals", "contains", "not_contains", "starts_with", "ends_with", "exists", "not_exists"] });
}
function validate85(data, instancePath = "") {
  if (data && typeof data == "object" && !Array.isArray(data)) {
    let missing0;
    if (data.field === void 0 && (missing0 = "field") || data.operator === void 0 && (missing0 = "operator") || data.value === void 0 && (missing0 = "value"))
      return fail(validate85, instancePath, "required", { missingProperty: missing0 });
    for (const key0 in data)
      if (!(key0 === "field" || key0 === "operator" || key0 === "value"))
        return fail(validate85, instancePath, "additionalProperties", { additionalProperty: key0 });
    if (data.field !== void 0 && !validate86(data.field, instancePath + "/field"))
      return failAs(validate85, validate86);
    if (data.operator !== void 0 && !validate88(data.operator, instancePath + "/operator"))
      return failAs(validate85, validate88);
    if (data.value !== void 0) {
      let data2 = data.value;
      if (typeof data2 == "string") {
        if (func2(data2) > 512)
          return fail(validate85, instancePath + "/value", "maxLength", { limit: 512 });
      } else
        return fail(validate85, instancePath + "/value", "type", { type: "string" });
    }
  } else
    return fail(validate85, instancePath, "type", { type: "object" });
  return !0;
}
function validate84(data, instancePath = "") {
  if (data && typeof data == "object" && !Array.isArray(data)) {
    let missing0;
    if (data.match === void 0 && (missing0 = "match") || data.conditions === void 0 && (missing0 = "conditions"))
      return fail(validate84, instancePath, "required", { missingProperty: missing0 });
    for (const key0 in data)
      if (!(key0 === "match" || key0 === "conditions"))
        return fail(validate84, instancePath, "additionalProperties", { additionalProperty: key0 });
    if (data.match !== void 0) {
      let data0 = data.match;
      if (typeof data0 != "string")
        return fail(validate84, instancePath + "/match", "type", { type: "string" });
      if (!(data0 === "and" || data0 === "or"))
        return fail(validate84, instancePath + "/match", "enum", { allowedValues: ["and", "or"] });
    }
    if (data.conditions !== void 0) {
      let data1 = data.conditions;
      if (Array.isArray(data1)) {
        if (data1.length > 8)
          return fail(validate84, instancePath + "/conditions", "maxItems", { limit: 8 });
        if (data1.length < 1)
          return fail(validate84, instancePath + "/conditions", "minItems", { limit: 1 });
        {
          const len0 = data1.length;
          for (let i0 = 0; i0 < len0; i0++)
            if (!validate85(data1[i0], instancePath + "/conditions/" + i0))
              return failAs(validate84, validate85);
        }
      } else
        return fail(validate84, instancePath + "/conditions", "type", { type: "array" });
    }
  } else
    return fail(validate84, instancePath, "type", { type: "object" });
  return !0;
}
var pattern5 = new RegExp("^[0-9a-f]{64}$", "u"), pattern6 = new RegExp("^[0-9a-f]{32}$", "u");
function validate68(data, instancePath = "") {
  if (data && typeof data == "object" && !Array.isArray(data)) {
    let missing0;
    if (data.from === void 0 && (missing0 = "from") || data.to === void 0 && (missing0 = "to"))
      return fail(validate68, instancePath, "required", { missingProperty: missing0 });
    for (const key0 in data)
      if (!["from", "to", "workloadIds", "serverIds", "deploymentIds", "previewIds", "containerIds", "environments", "services", "severities", "search", "traceId", "attributes", "stream", "conditionGroup"].includes(key0))
        return fail(validate68, instancePath, "additionalProperties", { additionalProperty: key0 });
    if (data.from !== void 0 && !validate69(data.from, instancePath + "/from") || data.to !== void 0 && !validate69(data.to, instancePath + "/to"))
      return failAs(validate68, validate69);
    if (data.workloadIds !== void 0) {
      let data2 = data.workloadIds;
      if (Array.isArray(data2)) {
        if (data2.length > 50)
          return fail(validate68, instancePath + "/workloadIds", "maxItems", { limit: 50 });
        {
          const len0 = data2.length;
          for (let i0 = 0; i0 < len0; i0++)
            if (!validate72(data2[i0], instancePath + "/workloadIds/" + i0))
              return failAs(validate68, validate72);
        }
      } else
        return fail(validate68, instancePath + "/workloadIds", "type", { type: "array" });
    }
    if (data.serverIds !== void 0) {
      let data4 = data.serverIds;
      if (Array.isArray(data4)) {
        if (data4.length > 50)
          return fail(validate68, instancePath + "/serverIds", "maxItems", { limit: 50 });
        {
          const len1 = data4.length;
          for (let i1 = 0; i1 < len1; i1++)
            if (!validate72(data4[i1], instancePath + "/serverIds/" + i1))
              return failAs(validate68, validate72);
        }
      } else
        return fail(validate68, instancePath + "/serverIds", "type", { type: "array" });
    }
    if (data.deploymentIds !== void 0) {
      let data6 = data.deploymentIds;
      if (Array.isArray(data6)) {
        if (data6.length > 50)
          return fail(validate68, instancePath + "/deploymentIds", "maxItems", { limit: 50 });
        {
          const len2 = data6.length;
          for (let i2 = 0; i2 < len2; i2++)
            if (!validate72(data6[i2], instancePath + "/deploymentIds/" + i2))
              return failAs(validate68, validate72);
        }
      } else
        return fail(validate68, instancePath + "/deploymentIds", "type", { type: "array" });
    }
    if (data.previewIds !== void 0) {
      let data8 = data.previewIds;
      if (Array.isArray(data8)) {
        if (data8.length > 50)
          return fail(validate68, instancePath + "/previewIds", "maxItems", { limit: 50 });
        {
          const len3 = data8.length;
          for (let i3 = 0; i3 < len3; i3++)
            if (!validate72(data8[i3], instancePath + "/previewIds/" + i3))
              return failAs(validate68, validate72);
        }
      } else
        return fail(validate68, instancePath + "/previewIds", "type", { type: "array" });
    }
    if (data.containerIds !== void 0) {
      let data10 = data.containerIds;
      if (Array.isArray(data10)) {
        if (data10.length > 50)
          return fail(validate68, instancePath + "/containerIds", "maxItems", { limit: 50 });
        {
          const len4 = data10.length;
          for (let i4 = 0; i4 < len4; i4++) {
            let data11 = data10[i4];
            if (typeof data11 == "string") {
              if (!pattern5.test(data11))
                return fail(validate68, instancePath + "/containerIds/" + i4, "pattern", {});
            } else
              return fail(validate68, instancePath + "/containerIds/" + i4, "type", { type: "string" });
          }
        }
      } else
        return fail(validate68, instancePath + "/containerIds", "type", { type: "array" });
    }
    if (data.environments !== void 0) {
      let data12 = data.environments;
      if (Array.isArray(data12)) {
        if (data12.length > 2)
          return fail(validate68, instancePath + "/environments", "maxItems", { limit: 2 });
        {
          const len5 = data12.length;
          for (let i5 = 0; i5 < len5; i5++)
            if (!validate77(data12[i5], instancePath + "/environments/" + i5))
              return failAs(validate68, validate77);
        }
      } else
        return fail(validate68, instancePath + "/environments", "type", { type: "array" });
    }
    if (data.services !== void 0) {
      let data14 = data.services;
      if (Array.isArray(data14)) {
        if (data14.length > 50)
          return fail(validate68, instancePath + "/services", "maxItems", { limit: 50 });
        {
          const len6 = data14.length;
          for (let i6 = 0; i6 < len6; i6++) {
            let data15 = data14[i6];
            if (typeof data15 == "string") {
              if (func2(data15) > 128)
                return fail(validate68, instancePath + "/services/" + i6, "maxLength", { limit: 128 });
              if (func2(data15) < 1)
                return fail(validate68, instancePath + "/services/" + i6, "minLength", { limit: 1 });
            } else
              return fail(validate68, instancePath + "/services/" + i6, "type", { type: "string" });
          }
        }
      } else
        return fail(validate68, instancePath + "/services", "type", { type: "array" });
    }
    if (data.severities !== void 0) {
      let data16 = data.severities;
      if (Array.isArray(data16)) {
        if (data16.length > 7)
          return fail(validate68, instancePath + "/severities", "maxItems", { limit: 7 });
        {
          const len7 = data16.length;
          for (let i7 = 0; i7 < len7; i7++)
            if (!validate54(data16[i7], instancePath + "/severities/" + i7))
              return failAs(validate68, validate54);
        }
      } else
        return fail(validate68, instancePath + "/severities", "type", { type: "array" });
    }
    if (data.search !== void 0) {
      let data18 = data.search;
      if (typeof data18 == "string") {
        if (func2(data18) > 512)
          return fail(validate68, instancePath + "/search", "maxLength", { limit: 512 });
      } else
        return fail(validate68, instancePath + "/search", "type", { type: "string" });
    }
    if (data.traceId !== void 0) {
      let data19 = data.traceId;
      if (typeof data19 == "string") {
        if (!pattern6.test(data19))
          return fail(validate68, instancePath + "/traceId", "pattern", {});
      } else
        return fail(validate68, instancePath + "/traceId", "type", { type: "string" });
    }
    if (data.attributes !== void 0) {
      let data20 = data.attributes;
      if (Array.isArray(data20)) {
        if (data20.length > 8)
          return fail(validate68, instancePath + "/attributes", "maxItems", { limit: 8 });
        {
          const len8 = data20.length;
          for (let i8 = 0; i8 < len8; i8++)
            if (!validate80(data20[i8], instancePath + "/attributes/" + i8))
              return failAs(validate68, validate80);
        }
      } else
        return fail(validate68, instancePath + "/attributes", "type", { type: "array" });
    }
    if (data.stream !== void 0 && !validate82(data.stream, instancePath + "/stream"))
      return failAs(validate68, validate82);
    if (data.conditionGroup !== void 0 && !validate84(data.conditionGroup, instancePath + "/conditionGroup"))
      return failAs(validate68, validate84);
  } else
    return fail(validate68, instancePath, "type", { type: "object" });
  return !0;
}
function validate93(data, instancePath = "") {
  if (typeof data == "string") {
    if (func2(data) > 8192)
      return fail(validate93, instancePath, "maxLength", { limit: 8192 });
  } else
    return fail(validate93, instancePath, "type", { type: "string" });
  return !0;
}
function validate67(data, instancePath = "") {
  if (data && typeof data == "object" && !Array.isArray(data)) {
    let missing0;
    if (data.filters === void 0 && (missing0 = "filters"))
      return fail(validate67, instancePath, "required", { missingProperty: missing0 });
    for (const key0 in data)
      if (!(key0 === "filters" || key0 === "limit" || key0 === "cursor" || key0 === "direction"))
        return fail(validate67, instancePath, "additionalProperties", { additionalProperty: key0 });
    if (data.filters !== void 0 && !validate68(data.filters, instancePath + "/filters"))
      return failAs(validate67, validate68);
    if (data.limit !== void 0) {
      let data1 = data.limit;
      if (!(typeof data1 == "number" && !(data1 % 1) && !isNaN(data1) && isFinite(data1)))
        return fail(validate67, instancePath + "/limit", "type", { type: "integer" });
      if (typeof data1 == "number" && isFinite(data1)) {
        if (data1 > 500 || isNaN(data1))
          return fail(validate67, instancePath + "/limit", "maximum", { comparison: "<=", limit: 500 });
        if (data1 < 1 || isNaN(data1))
          return fail(validate67, instancePath + "/limit", "minimum", { comparison: ">=", limit: 1 });
      }
    }
    if (data.cursor !== void 0 && !validate93(data.cursor, instancePath + "/cursor"))
      return failAs(validate67, validate93);
    if (data.direction !== void 0) {
      let data3 = data.direction;
      if (typeof data3 != "string")
        return fail(validate67, instancePath + "/direction", "type", { type: "string" });
      if (!(data3 === "older" || data3 === "newer"))
        return fail(validate67, instancePath + "/direction", "enum", { allowedValues: ["older", "newer"] });
    }
  } else
    return fail(validate67, instancePath, "type", { type: "object" });
  return !0;
}
var LogTailRequest = validate95;
function validate96(data, instancePath = "") {
  if (data && typeof data == "object" && !Array.isArray(data)) {
    let missing0;
    if (data.from === void 0 && (missing0 = "from") || data.to === void 0 && (missing0 = "to"))
      return fail(validate96, instancePath, "required", { missingProperty: missing0 });
    for (const key0 in data)
      if (!["from", "to", "workloadIds", "serverIds", "deploymentIds", "previewIds", "containerIds", "environments", "services", "severities", "search", "traceId", "attributes"].includes(key0))
        return fail(validate96, instancePath, "additionalProperties", { additionalProperty: key0 });
    if (data.from !== void 0 && !validate69(data.from, instancePath + "/from") || data.to !== void 0 && !validate69(data.to, instancePath + "/to"))
      return failAs(validate96, validate69);
    if (data.workloadIds !== void 0) {
      let data2 = data.workloadIds;
      if (Array.isArray(data2)) {
        if (data2.length > 50)
          return fail(validate96, instancePath + "/workloadIds", "maxItems", { limit: 50 });
        {
          const len0 = data2.length;
          for (let i0 = 0; i0 < len0; i0++)
            if (!validate72(data2[i0], instancePath + "/workloadIds/" + i0))
              return failAs(validate96, validate72);
        }
      } else
        return fail(validate96, instancePath + "/workloadIds", "type", { type: "array" });
    }
    if (data.serverIds !== void 0) {
      let data4 = data.serverIds;
      if (Array.isArray(data4)) {
        if (data4.length > 50)
          return fail(validate96, instancePath + "/serverIds", "maxItems", { limit: 50 });
        {
          const len1 = data4.length;
          for (let i1 = 0; i1 < len1; i1++)
            if (!validate72(data4[i1], instancePath + "/serverIds/" + i1))
              return failAs(validate96, validate72);
        }
      } else
        return fail(validate96, instancePath + "/serverIds", "type", { type: "array" });
    }
    if (data.deploymentIds !== void 0) {
      let data6 = data.deploymentIds;
      if (Array.isArray(data6)) {
        if (data6.length > 50)
          return fail(validate96, instancePath + "/deploymentIds", "maxItems", { limit: 50 });
        {
          const len2 = data6.length;
          for (let i2 = 0; i2 < len2; i2++)
            if (!validate72(data6[i2], instancePath + "/deploymentIds/" + i2))
              return failAs(validate96, validate72);
        }
      } else
        return fail(validate96, instancePath + "/deploymentIds", "type", { type: "array" });
    }
    if (data.previewIds !== void 0) {
      let data8 = data.previewIds;
      if (Array.isArray(data8)) {
        if (data8.length > 50)
          return fail(validate96, instancePath + "/previewIds", "maxItems", { limit: 50 });
        {
          const len3 = data8.length;
          for (let i3 = 0; i3 < len3; i3++)
            if (!validate72(data8[i3], instancePath + "/previewIds/" + i3))
              return failAs(validate96, validate72);
        }
      } else
        return fail(validate96, instancePath + "/previewIds", "type", { type: "array" });
    }
    if (data.containerIds !== void 0) {
      let data10 = data.containerIds;
      if (Array.isArray(data10)) {
        if (data10.length > 50)
          return fail(validate96, instancePath + "/containerIds", "maxItems", { limit: 50 });
        {
          const len4 = data10.length;
          for (let i4 = 0; i4 < len4; i4++) {
            let data11 = data10[i4];
            if (typeof data11 == "string") {
              if (!pattern5.test(data11))
                return fail(validate96, instancePath + "/containerIds/" + i4, "pattern", {});
            } else
              return fail(validate96, instancePath + "/containerIds/" + i4, "type", { type: "string" });
          }
        }
      } else
        return fail(validate96, instancePath + "/containerIds", "type", { type: "array" });
    }
    if (data.environments !== void 0) {
      let data12 = data.environments;
      if (Array.isArray(data12)) {
        if (data12.length > 2)
          return fail(validate96, instancePath + "/environments", "maxItems", { limit: 2 });
        {
          const len5 = data12.length;
          for (let i5 = 0; i5 < len5; i5++)
            if (!validate77(data12[i5], instancePath + "/environments/" + i5))
              return failAs(validate96, validate77);
        }
      } else
        return fail(validate96, instancePath + "/environments", "type", { type: "array" });
    }
    if (data.services !== void 0) {
      let data14 = data.services;
      if (Array.isArray(data14)) {
        if (data14.length > 50)
          return fail(validate96, instancePath + "/services", "maxItems", { limit: 50 });
        {
          const len6 = data14.length;
          for (let i6 = 0; i6 < len6; i6++) {
            let data15 = data14[i6];
            if (typeof data15 == "string") {
              if (func2(data15) > 128)
                return fail(validate96, instancePath + "/services/" + i6, "maxLength", { limit: 128 });
              if (func2(data15) < 1)
                return fail(validate96, instancePath + "/services/" + i6, "minLength", { limit: 1 });
            } else
              return fail(validate96, instancePath + "/services/" + i6, "type", { type: "string" });
          }
        }
      } else
        return fail(validate96, instancePath + "/services", "type", { type: "array" });
    }
    if (data.severities !== void 0) {
      let data16 = data.severities;
      if (Array.isArray(data16)) {
        if (data16.length > 7)
          return fail(validate96, instancePath + "/severities", "maxItems", { limit: 7 });
        {
          const len7 = data16.length;
          for (let i7 = 0; i7 < len7; i7++)
            if (!validate54(data16[i7], instancePath + "/severities/" + i7))
              return failAs(validate96, validate54);
        }
      } else
        return fail(validate96, instancePath + "/severities", "type", { type: "array" });
    }
    if (data.search !== void 0) {
      let data18 = data.search;
      if (typeof data18 == "string") {
        if (func2(data18) > 512)
          return fail(validate96, instancePath + "/search", "maxLength", { limit: 512 });
      } else
        return fail(validate96, instancePath + "/search", "type", { type: "string" });
    }
    if (data.traceId !== void 0) {
      let data19 = data.traceId;
      if (typeof data19 == "string") {
        if (!pattern6.test(data19))
          return fail(validate96, instancePath + "/traceId", "pattern", {});
      } else
        return fail(validate96, instancePath + "/traceId", "type", { type: "string" });
    }
    if (data.attributes !== void 0) {
      let data20 = data.attributes;
      if (Array.isArray(data20)) {
        if (data20.length > 8)
          return fail(validate96, instancePath + "/attributes", "maxItems", { limit: 8 });
        {
          const len8 = data20.length;
          for (let i8 = 0; i8 < len8; i8++)
            if (!validate80(data20[i8], instancePath + "/attributes/" + i8))
              return failAs(validate96, validate80);
        }
      } else
        return fail(validate96, instancePath + "/attributes", "type", { type: "array" });
    }
  } else
    return fail(validate96, instancePath, "type", { type: "object" });
  return !0;
}
function validate95(data, instancePath = "") {
  if (data && typeof data == "object" && !Array.isArray(data)) {
    let missing0;
    if (data.filters === void 0 && (missing0 = "filters"))
      return fail(validate95, instancePath, "required", { missingProperty: missing0 });
    for (const key0 in data)
      if (!(key0 === "filters" || key0 === "cursor"))
        return fail(validate95, instancePath, "additionalProperties", { additionalProperty: key0 });
    if (data.filters !== void 0 && !validate96(data.filters, instancePath + "/filters"))
      return failAs(validate95, validate96);
    if (data.cursor !== void 0 && !validate93(data.cursor, instancePath + "/cursor"))
      return failAs(validate95, validate93);
  } else
    return fail(validate95, instancePath, "type", { type: "object" });
  return !0;
}
var CleanupRequest = validate108;
function validate108(data, instancePath = "") {
  if (data && typeof data == "object" && !Array.isArray(data)) {
    let missing0;
    if (data.items === void 0 && (missing0 = "items"))
      return fail(validate108, instancePath, "required", { missingProperty: missing0 });
    for (const key0 in data)
      if (key0 !== "items")
        return fail(validate108, instancePath, "additionalProperties", { additionalProperty: key0 });
    if (data.items !== void 0) {
      let data0 = data.items;
      if (Array.isArray(data0)) {
        if (data0.length > 100)
          return fail(validate108, instancePath + "/items", "maxItems", { limit: 100 });
        if (data0.length < 1)
          return fail(validate108, instancePath + "/items", "minItems", { limit: 1 });
        {
          const len0 = data0.length;
          for (let i0 = 0; i0 < len0; i0++) {
            let data1 = data0[i0];
            if (data1 && typeof data1 == "object" && !Array.isArray(data1)) {
              let missing1;
              if (data1.name === void 0 && (missing1 = "name"))
                return fail(validate108, instancePath + "/items/" + i0, "required", { missingProperty: missing1 });
              for (const key1 in data1)
                if (key1 !== "name")
                  return fail(validate108, instancePath + "/items/" + i0, "additionalProperties", { additionalProperty: key1 });
              if (data1.name !== void 0 && typeof data1.name != "string")
                return fail(validate108, instancePath + "/items/" + i0 + "/name", "type", { type: "string" });
            } else
              return fail(validate108, instancePath + "/items/" + i0, "type", { type: "object" });
          }
        }
      } else
        return fail(validate108, instancePath + "/items", "type", { type: "array" });
    }
  } else
    return fail(validate108, instancePath, "type", { type: "object" });
  return !0;
}
var ErrorResponse = validate109;
function validate109(data, instancePath = "") {
  if (data && typeof data == "object" && !Array.isArray(data)) {
    let missing0;
    if (data.error === void 0 && (missing0 = "error"))
      return fail(validate109, instancePath, "required", { missingProperty: missing0 });
    if (data.error !== void 0) {
      let data0 = data.error;
      if (data0 && typeof data0 == "object" && !Array.isArray(data0)) {
        let missing1;
        if (data0.code === void 0 && (missing1 = "code") || data0.message === void 0 && (missing1 = "message") || data0.requestId === void 0 && (missing1 = "requestId"))
          return fail(validate109, instancePath + "/error", "required", { missingProperty: missing1 });
        if (data0.code !== void 0 && typeof data0.code != "string")
          return fail(validate109, instancePath + "/error/code", "type", { type: "string" });
        if (data0.message !== void 0 && typeof data0.message != "string")
          return fail(validate109, instancePath + "/error/message", "type", { type: "string" });
        if (data0.requestId !== void 0 && typeof data0.requestId != "string")
          return fail(validate109, instancePath + "/error/requestId", "type", { type: "string" });
      } else
        return fail(validate109, instancePath + "/error", "type", { type: "object" });
    }
  } else
    return fail(validate109, instancePath, "type", { type: "object" });
  return !0;
}
var parameters_post_servers_cleanup_orphans = validate110;
function validate110(data, instancePath = "") {
  if (data && typeof data == "object" && !Array.isArray(data)) {
    let missing0;
    if (data.serverId === void 0 && (missing0 = "serverId") || data["Idempotency-Key"] === void 0 && (missing0 = "Idempotency-Key"))
      return fail(validate110, instancePath, "required", { missingProperty: missing0 });
    for (const key0 in data)
      if (!(key0 === "serverId" || key0 === "Idempotency-Key"))
        return fail(validate110, instancePath, "additionalProperties", { additionalProperty: key0 });
    if (data.serverId !== void 0 && !validate72(data.serverId, instancePath + "/serverId"))
      return failAs(validate110, validate72);
    if (data["Idempotency-Key"] !== void 0) {
      let data1 = data["Idempotency-Key"];
      if (typeof data1 == "string") {
        if (func2(data1) > 255)
          return fail(validate110, instancePath + "/Idempotency-Key", "maxLength", { limit: 255 });
        if (func2(data1) < 1)
          return fail(validate110, instancePath + "/Idempotency-Key", "minLength", { limit: 1 });
      } else
        return fail(validate110, instancePath + "/Idempotency-Key", "type", { type: "string" });
    }
  } else
    return fail(validate110, instancePath, "type", { type: "object" });
  return !0;
}
var parameters_get_servers_monitor_alerts = validate112;
function validate112(data, instancePath = "") {
  if (data && typeof data == "object" && !Array.isArray(data)) {
    let missing0;
    if (data.serverId === void 0 && (missing0 = "serverId"))
      return fail(validate112, instancePath, "required", { missingProperty: missing0 });
    for (const key0 in data)
      if (!(key0 === "serverId" || key0 === "deployableId"))
        return fail(validate112, instancePath, "additionalProperties", { additionalProperty: key0 });
    if (data.serverId !== void 0 && !validate72(data.serverId, instancePath + "/serverId") || data.deployableId !== void 0 && !validate72(data.deployableId, instancePath + "/deployableId"))
      return failAs(validate112, validate72);
  } else
    return fail(validate112, instancePath, "type", { type: "object" });
  return !0;
}
var parameters_get_sources_resources = validate115;
function validate115(data, instancePath = "") {
  if (data && typeof data == "object" && !Array.isArray(data)) {
    let missing0;
    if (data.sourceId === void 0 && (missing0 = "sourceId"))
      return fail(validate115, instancePath, "required", { missingProperty: missing0 });
    for (const key0 in data)
      if (key0 !== "sourceId")
        return fail(validate115, instancePath, "additionalProperties", { additionalProperty: key0 });
    if (data.sourceId !== void 0 && !validate72(data.sourceId, instancePath + "/sourceId"))
      return failAs(validate115, validate72);
  } else
    return fail(validate115, instancePath, "type", { type: "object" });
  return !0;
}
var parameters_get_sources_secrets = validate117, pattern10 = new RegExp("^(?:preview:)?[a-z][a-z0-9-]{0,62}$", "u");
function validate117(data, instancePath = "") {
  if (data && typeof data == "object" && !Array.isArray(data)) {
    let missing0;
    if (data.ownerId === void 0 && (missing0 = "ownerId"))
      return fail(validate117, instancePath, "required", { missingProperty: missing0 });
    for (const key0 in data)
      if (!(key0 === "ownerId" || key0 === "environment"))
        return fail(validate117, instancePath, "additionalProperties", { additionalProperty: key0 });
    if (data.ownerId !== void 0 && !validate72(data.ownerId, instancePath + "/ownerId"))
      return failAs(validate117, validate72);
    if (data.environment !== void 0) {
      let data1 = data.environment;
      if (typeof data1 == "string") {
        if (func2(data1) > 80)
          return fail(validate117, instancePath + "/environment", "maxLength", { limit: 80 });
        if (!pattern10.test(data1))
          return fail(validate117, instancePath + "/environment", "pattern", {});
      } else
        return fail(validate117, instancePath + "/environment", "type", { type: "string" });
    }
  } else
    return fail(validate117, instancePath, "type", { type: "object" });
  return !0;
}
var parameters_get_repositories = validate119;
function validate119(data, instancePath = "") {
  if (data && typeof data == "object" && !Array.isArray(data)) {
    for (const key0 in data)
      if (!(key0 === "search" || key0 === "page"))
        return fail(validate119, instancePath, "additionalProperties", { additionalProperty: key0 });
    if (data.search !== void 0) {
      let data0 = data.search;
      if (typeof data0 == "string") {
        if (func2(data0) > 64)
          return fail(validate119, instancePath + "/search", "maxLength", { limit: 64 });
        if (func2(data0) < 1)
          return fail(validate119, instancePath + "/search", "minLength", { limit: 1 });
      } else
        return fail(validate119, instancePath + "/search", "type", { type: "string" });
    }
    if (data.page !== void 0) {
      let data1 = data.page;
      if (!(typeof data1 == "number" && !(data1 % 1) && !isNaN(data1) && isFinite(data1)))
        return fail(validate119, instancePath + "/page", "type", { type: "integer" });
      if (typeof data1 == "number" && isFinite(data1)) {
        if (data1 > 1e4 || isNaN(data1))
          return fail(validate119, instancePath + "/page", "maximum", { comparison: "<=", limit: 1e4 });
        if (data1 < 1 || isNaN(data1))
          return fail(validate119, instancePath + "/page", "minimum", { comparison: ">=", limit: 1 });
      }
    }
  } else
    return fail(validate119, instancePath, "type", { type: "object" });
  return !0;
}
var parameters_get_resources_deployments = validate120;
function validate120(data, instancePath = "") {
  if (data && typeof data == "object" && !Array.isArray(data)) {
    let missing0;
    if (data.resourceId === void 0 && (missing0 = "resourceId"))
      return fail(validate120, instancePath, "required", { missingProperty: missing0 });
    for (const key0 in data)
      if (key0 !== "resourceId")
        return fail(validate120, instancePath, "additionalProperties", { additionalProperty: key0 });
    if (data.resourceId !== void 0 && !validate72(data.resourceId, instancePath + "/resourceId"))
      return failAs(validate120, validate72);
  } else
    return fail(validate120, instancePath, "type", { type: "object" });
  return !0;
}
var parameters_post_sources_environments_syncs = validate122;
function validate122(data, instancePath = "") {
  if (data && typeof data == "object" && !Array.isArray(data)) {
    let missing0;
    if (data.sourceId === void 0 && (missing0 = "sourceId") || data.environmentId === void 0 && (missing0 = "environmentId"))
      return fail(validate122, instancePath, "required", { missingProperty: missing0 });
    for (const key0 in data)
      if (!(key0 === "sourceId" || key0 === "environmentId"))
        return fail(validate122, instancePath, "additionalProperties", { additionalProperty: key0 });
    if (data.sourceId !== void 0 && !validate72(data.sourceId, instancePath + "/sourceId") || data.environmentId !== void 0 && !validate72(data.environmentId, instancePath + "/environmentId"))
      return failAs(validate122, validate72);
  } else
    return fail(validate122, instancePath, "type", { type: "object" });
  return !0;
}
var parameters_get_operation = validate125;
function validate125(data, instancePath = "") {
  if (data && typeof data == "object" && !Array.isArray(data)) {
    let missing0;
    if (data.operationId === void 0 && (missing0 = "operationId"))
      return fail(validate125, instancePath, "required", { missingProperty: missing0 });
    for (const key0 in data)
      if (key0 !== "operationId")
        return fail(validate125, instancePath, "additionalProperties", { additionalProperty: key0 });
    if (data.operationId !== void 0) {
      let data0 = data.operationId;
      if (typeof data0 == "string") {
        if (func2(data0) > 255)
          return fail(validate125, instancePath + "/operationId", "maxLength", { limit: 255 });
        if (func2(data0) < 1)
          return fail(validate125, instancePath + "/operationId", "minLength", { limit: 1 });
      } else
        return fail(validate125, instancePath + "/operationId", "type", { type: "string" });
    }
  } else
    return fail(validate125, instancePath, "type", { type: "object" });
  return !0;
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
function fail(self, instancePath, keyword, params) {
  return self.errors = [{ instancePath, keyword, params }], !1;
}
function failAs(self, other) {
  return self.errors = other.errors, !1;
}

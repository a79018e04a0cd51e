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
}), searchLogs = validate52, func1 = require_ucs2length().default;
function validate52(data, instancePath = "") {
  if (data && typeof data == "object" && !Array.isArray(data)) {
    let missing0;
    if (data.query === void 0 && (missing0 = "query"))
      return fail(validate52, instancePath, "required", { missingProperty: missing0 });
    for (const key0 in data)
      if (!(key0 === "query" || key0 === "limit"))
        return fail(validate52, instancePath, "additionalProperties", { additionalProperty: key0 });
    if (data.query !== void 0) {
      let data0 = data.query;
      if (typeof data0 == "string") {
        if (func1(data0) > 4096)
          return fail(validate52, instancePath + "/query", "maxLength", { limit: 4096 });
      } else
        return fail(validate52, instancePath + "/query", "type", { type: "string" });
    }
    if (data.limit !== void 0) {
      let data1 = data.limit;
      if (!(typeof data1 == "number" && !(data1 % 1) && !isNaN(data1) && isFinite(data1)))
        return fail(validate52, instancePath + "/limit", "type", { type: "integer" });
      if (typeof data1 == "number" && isFinite(data1)) {
        if (data1 > 500 || isNaN(data1))
          return fail(validate52, instancePath + "/limit", "maximum", { comparison: "<=", limit: 500 });
        if (data1 < 1 || isNaN(data1))
          return fail(validate52, instancePath + "/limit", "minimum", { comparison: ">=", limit: 1 });
      }
    }
  } else
    return fail(validate52, instancePath, "type", { type: "object" });
  return !0;
}
var summariseLogs = validate53;
function validate53(data, instancePath = "") {
  if (data && typeof data == "object" && !Array.isArray(data)) {
    let missing0;
    if (data.query === void 0 && (missing0 = "query"))
      return fail(validate53, instancePath, "required", { missingProperty: missing0 });
    for (const key0 in data)
      if (key0 !== "query")
        return fail(validate53, instancePath, "additionalProperties", { additionalProperty: key0 });
    if (data.query !== void 0) {
      let data0 = data.query;
      if (typeof data0 == "string") {
        if (func1(data0) > 4096)
          return fail(validate53, instancePath + "/query", "maxLength", { limit: 4096 });
      } else
        return fail(validate53, instancePath + "/query", "type", { type: "string" });
    }
  } else
    return fail(validate53, instancePath, "type", { type: "object" });
  return !0;
}
var listResources = validate54, pattern3 = new RegExp("^(?:[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|[fF]{8}-[fF]{4}-[fF]{4}-[fF]{4}-[fF]{12})$", "u");
function validate54(data, instancePath = "") {
  if (data && typeof data == "object" && !Array.isArray(data)) {
    for (const key0 in data)
      if (key0 !== "sourceId")
        return fail(validate54, instancePath, "additionalProperties", { additionalProperty: key0 });
    if (data.sourceId !== void 0) {
      let data0 = data.sourceId;
      if (typeof data0 == "string") {
        if (!pattern3.test(data0))
          return fail(validate54, instancePath + "/sourceId", "pattern", {});
      } else
        return fail(validate54, instancePath + "/sourceId", "type", { type: "string" });
    }
  } else
    return fail(validate54, instancePath, "type", { type: "object" });
  return !0;
}
var listDeployments = validate55;
function validate55(data, instancePath = "") {
  if (data && typeof data == "object" && !Array.isArray(data)) {
    let missing0;
    if (data.resourceId === void 0 && (missing0 = "resourceId"))
      return fail(validate55, instancePath, "required", { missingProperty: missing0 });
    for (const key0 in data)
      if (key0 !== "resourceId")
        return fail(validate55, instancePath, "additionalProperties", { additionalProperty: key0 });
    if (data.resourceId !== void 0) {
      let data0 = data.resourceId;
      if (typeof data0 == "string") {
        if (!pattern3.test(data0))
          return fail(validate55, instancePath + "/resourceId", "pattern", {});
      } else
        return fail(validate55, instancePath + "/resourceId", "type", { type: "string" });
    }
  } else
    return fail(validate55, instancePath, "type", { type: "object" });
  return !0;
}
var listAlertRules = validate56;
function validate56(data, instancePath = "") {
  if (data && typeof data == "object" && !Array.isArray(data)) {
    for (const key0 in data)
      if (key0 !== "serverId")
        return fail(validate56, instancePath, "additionalProperties", { additionalProperty: key0 });
    if (data.serverId !== void 0) {
      let data0 = data.serverId;
      if (typeof data0 == "string") {
        if (!pattern3.test(data0))
          return fail(validate56, instancePath + "/serverId", "pattern", {});
      } else
        return fail(validate56, instancePath + "/serverId", "type", { type: "string" });
    }
  } else
    return fail(validate56, instancePath, "type", { type: "object" });
  return !0;
}
var listSecretKeys = validate57, pattern7 = new RegExp("^(?:preview:)?[a-z][a-z0-9-]{0,62}$", "u");
function validate57(data, instancePath = "") {
  if (data && typeof data == "object" && !Array.isArray(data)) {
    let missing0;
    if (data.sourceId === void 0 && (missing0 = "sourceId") || data.environment === void 0 && (missing0 = "environment"))
      return fail(validate57, instancePath, "required", { missingProperty: missing0 });
    for (const key0 in data)
      if (!(key0 === "sourceId" || key0 === "environment"))
        return fail(validate57, instancePath, "additionalProperties", { additionalProperty: key0 });
    if (data.sourceId !== void 0) {
      let data0 = data.sourceId;
      if (typeof data0 == "string") {
        if (!pattern3.test(data0))
          return fail(validate57, instancePath + "/sourceId", "pattern", {});
      } else
        return fail(validate57, instancePath + "/sourceId", "type", { type: "string" });
    }
    if (data.environment !== void 0) {
      let data1 = data.environment;
      if (typeof data1 == "string") {
        if (func1(data1) > 80)
          return fail(validate57, instancePath + "/environment", "maxLength", { limit: 80 });
        if (!pattern7.test(data1))
          return fail(validate57, instancePath + "/environment", "pattern", {});
      } else
        return fail(validate57, instancePath + "/environment", "type", { type: "string" });
    }
  } else
    return fail(validate57, instancePath, "type", { type: "object" });
  return !0;
}
var syncEnvironment = validate58;
function validate58(data, instancePath = "") {
  if (data && typeof data == "object" && !Array.isArray(data)) {
    let missing0;
    if (data.sourceId === void 0 && (missing0 = "sourceId") || data.environmentId === void 0 && (missing0 = "environmentId"))
      return fail(validate58, instancePath, "required", { missingProperty: missing0 });
    for (const key0 in data)
      if (!(key0 === "sourceId" || key0 === "environmentId"))
        return fail(validate58, instancePath, "additionalProperties", { additionalProperty: key0 });
    if (data.sourceId !== void 0) {
      let data0 = data.sourceId;
      if (typeof data0 == "string") {
        if (!pattern3.test(data0))
          return fail(validate58, instancePath + "/sourceId", "pattern", {});
      } else
        return fail(validate58, instancePath + "/sourceId", "type", { type: "string" });
    }
    if (data.environmentId !== void 0) {
      let data1 = data.environmentId;
      if (typeof data1 == "string") {
        if (!pattern3.test(data1))
          return fail(validate58, instancePath + "/environmentId", "pattern", {});
      } else
        return fail(validate58, instancePath + "/environmentId", "type", { type: "string" });
    }
  } else
    return fail(validate58, instancePath, "type", { type: "object" });
  return !0;
}
var cleanUpOrphans = validate59;
function validate59(data, instancePath = "") {
  if (data && typeof data == "object" && !Array.isArray(data)) {
    let missing0;
    if (data.serverId === void 0 && (missing0 = "serverId") || data.items === void 0 && (missing0 = "items"))
      return fail(validate59, instancePath, "required", { missingProperty: missing0 });
    for (const key0 in data)
      if (!(key0 === "serverId" || key0 === "items"))
        return fail(validate59, instancePath, "additionalProperties", { additionalProperty: key0 });
    if (data.serverId !== void 0) {
      let data0 = data.serverId;
      if (typeof data0 == "string") {
        if (!pattern3.test(data0))
          return fail(validate59, instancePath + "/serverId", "pattern", {});
      } else
        return fail(validate59, instancePath + "/serverId", "type", { type: "string" });
    }
    if (data.items !== void 0) {
      let data1 = data.items;
      if (Array.isArray(data1)) {
        if (data1.length > 100)
          return fail(validate59, instancePath + "/items", "maxItems", { limit: 100 });
        if (data1.length < 1)
          return fail(validate59, instancePath + "/items", "minItems", { limit: 1 });
        {
          const len0 = data1.length;
          for (let i0 = 0; i0 < len0; i0++)
            if (typeof data1[i0] != "string")
              return fail(validate59, instancePath + "/items/" + i0, "type", { type: "string" });
        }
      } else
        return fail(validate59, instancePath + "/items", "type", { type: "array" });
    }
  } else
    return fail(validate59, instancePath, "type", { type: "object" });
  return !0;
}
export {
  cleanUpOrphans,
  listAlertRules,
  listDeployments,
  listResources,
  listSecretKeys,
  searchLogs,
  summariseLogs,
  syncEnvironment
};
function fail(self, instancePath, keyword, params) {
  return self.errors = [{ instancePath, keyword, params }], !1;
}
function failAs(self, other) {
  return self.errors = other.errors, !1;
}

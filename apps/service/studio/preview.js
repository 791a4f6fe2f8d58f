// @ts-check
/**
 * What a table will be, before the service has said so: a click is answered at once. The service has the last word, since
 * it also changes the wrapper; what only it can know has no preview.
 */

/** Records of a list that are asked for when a page is opened. */
export const MAX_FOUND_RECORDS = 200;

/** A list as it was found, before its wrapper is learned. @param {any} region */
export const previewOfList = region => region
  ? { answer: { regions: [region] }, wrapper: null, notes: [], isPreview: true } : null;

/**
 * The result after a correction; `null` if it cannot be told.
 * @param {any} result
 * @param {any} correction
 * @param {number[]} clicked the records that were clicked
 */
export function previewOfCorrection(result, correction, clicked) {
  const region = result?.answer?.regions?.[0];
  if (!region) return null;
  const changed = changedRegion(region, correction, clicked);
  if (!changed) return null;
  const regions = [changed, ...result.answer.regions.slice(1)];
  return { ...result, answer: { ...result.answer, regions }, notes: [], isPreview: true };
}

/** @param {any} region @param {any} correction @param {number[]} clicked @returns {any} */
function changedRegion(region, { rename, type, hide, order, exclude }, clicked) {
  const { columns, records } = region;
  const names = columns.map((/** @type {any} */ column) => column.name);
  const change = (/** @type {string} */ name, /** @type {any} */ patch) =>
    columns.map((/** @type {any} */ column) => column.name === name ? { ...column, ...patch } : column);
  if (rename && names.includes(rename.column) && !names.includes(rename.to)) {
    const { column, to } = rename;
    return { ...region, columns: change(column, { name: to }), records: records.map((/** @type {any} */ one) => renamed(one, column, to)) };
  }
  if (type && names.includes(type.column)) return { ...region, columns: change(type.column, { type: type.to ?? undefined }) };
  if (hide && columns.length > 1) return { ...region, columns: columns.filter((/** @type {any} */ one) => one.name !== hide.column) };
  if (order && order.columns.length === columns.length && names.every((/** @type {string} */ name) => order.columns.includes(name))) {
    return { ...region, columns: order.columns.map((/** @type {string} */ name) => columns[names.indexOf(name)]) };
  }
  if (exclude && clicked.length && records.length > clicked.length) {
    return { ...region, records: records.filter((/** @type {any} */ _, /** @type {number} */ at) => !clicked.includes(at)) };
  }
  return null;
}

/** A record whose field has another name. @param {any} record @param {string} from @param {string} to */
function renamed(record, from, to) {
  const own = { ...record };
  for (const part of ["fields", "values", "sources", "sure"]) {
    if (own[part]?.[from] === undefined) continue;
    const { [from]: value, ...others } = own[part];
    own[part] = { ...others, [to]: value };
  }
  return own;
}

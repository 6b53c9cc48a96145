// The files of both sides: what was dropped or chosen, by relative path.

/** @typedef {Map<string, File>} Files */

// The files of a drop, those of dropped folders included. Browsers allow access to the entries only during the event,
// so all of them are asked for before the first is read.
/** @param {DataTransfer} transfer @returns {Promise<Files>} */
export async function droppedFiles(transfer) {
  const entries = [...transfer.items].filter((item) => item.kind === "file").map((item) => item.webkitGetAsEntry?.() ?? item.getAsFile());
  /** @type {Files} */
  const files = new Map();
  for (const entry of entries) if (entry) await addEntry(entry, "", files);
  return files;
}

/** @param {any} entry @param {string} folder @param {Files} files */
async function addEntry(entry, folder, files) {
  const name = folder + entry.name;
  if (isHidden(entry.name)) return;
  if (entry instanceof File) files.set(name, entry);
  else if (entry.isFile) files.set(name, await new Promise((resolve, reject) => entry.file(resolve, reject)));
  else for (const one of await folderEntries(entry)) await addEntry(one, `${name}/`, files);
}

// All entries of a folder; a browser gives at most 100 at a time.
async function folderEntries(folder) {
  const reader = folder.createReader();
  const entries = [];
  for (;;) {
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!some.length) return entries;
    entries.push(...some);
  }
}

// The files that were chosen in a dialog; those of a chosen folder have paths.
/** @param {FileList | File[]} list @returns {Files} */
export function chosenFiles(list) {
  const named = [...list].map((file) => /** @type {[string, File]} */ ([file.webkitRelativePath || file.name, file]));
  return new Map(named.filter(([name]) => !name.split("/").some(isHidden)));
}

function isHidden(name) {
  return name.startsWith(".");
}

// A short description of files, such as "12 files, 3.4 MB".
/** @param {Files} files */
export function describeFiles(files) {
  const size = [...files.values()].reduce((sum, file) => sum + file.size, 0);
  return `${files.size.toLocaleString("en-GB")} file${files.size === 1 ? "" : "s"}, ${sizeText(size)}`;
}

/** @param {number} bytes */
export function sizeText(bytes) {
  if (bytes < 1000) return `${bytes} bytes`;
  const [value, unit] = bytes < 999_500 ? [bytes / 1000, "kB"] : [bytes / 1_000_000, "MB"];
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value).toLocaleString("en-GB")} ${unit}`;
}

// The name of an evaluation: the names of the dropped folders or files.
/** @param {Files} gt @param {Files} hyp */
export function titleOf(gt, hyp) {
  const [first, second] = [gt, hyp].map((files) => {
    const tops = new Set([...files.keys()].map((name) => name.split("/")[0]));
    return tops.size === 1 ? [...tops][0] : `${tops.size.toLocaleString("en-GB")} files`;
  });
  return `${first} and ${second}`;
}

// Bundles the viewer and lays the bundle, with three.js's licence, beside the Python module that uses it.

import { createHash } from "node:crypto";
import { copyFile, readFile, readdir, writeFile } from "node:fs/promises";
import { build } from "esbuild";

const here = new URL("./", import.meta.url);
const target = new URL("../src/dovetail/reports/viewer/", here);
const licence = new URL("node_modules/three/LICENSE", here);

// What a bundle is made from. A test computes the same digest, and so finds a stale bundle without npm.
async function sourceDigest() {
  const modules = (await readdir(new URL("src/", here))).map((name) => `src/${name}`);
  const digest = createHash("sha256");
  for (const name of ["build.mjs", "package.json", ...modules].sort()) {
    digest.update(`${name}\n`).update(await readFile(new URL(name, here)));
  }
  return digest.digest("hex");
}

async function notice() {
  const { devDependencies } = JSON.parse(await readFile(new URL("package.json", here), "utf8"));
  return `/*
The 3-D viewer of Dovetail, built from viewer/ by \`npm run build\`.
sources: sha256 ${await sourceDigest()}

three.js ${devDependencies.three} is part of this file:

${(await readFile(licence, "utf8")).trim()}
*/`;
}

await build({
  absWorkingDir: new URL(".", here).pathname,
  entryPoints: ["src/bundle.js"],
  outfile: new URL("bundle.js", target).pathname,
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  charset: "ascii",
  legalComments: "none", // the notice at the head has them whole
  banner: { js: await notice() },
});

const outfile = new URL("bundle.js", target);
const bundle = await readFile(outfile, "utf8");
if (/<\/script|<!--|[\r\0]/i.test(bundle)) {
  throw new Error("the bundle cannot stand in a script element as it is");
}
await writeFile(outfile, bundle.trimEnd() + "\n");
await copyFile(licence, new URL("three.LICENSE.txt", target));

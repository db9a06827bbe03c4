// The script of the page of a packing, which brings its data, and of the page that draws solids.

import { Voxels } from "./voxels.js";

globalThis.dovetailVoxels = Voxels;
if (document.getElementById("viewer-data")) import("./main.js");

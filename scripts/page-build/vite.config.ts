import { mergeConfig } from "vite";
import demo from "../../demo/vite.config.ts";
import { pageBuild } from "./index.ts";

/** The demo's pages with the engine as the package has it for production. */
export default mergeConfig(demo, { plugins: [pageBuild()] });

/** Whether `npm run test:full` runs. Tests that are slow by nature ask: `it.runIf(full)(...)`. Whole files of them are named `*.full.test.ts`. */
export const full = process.env['TABSCOPE_TEST_FULL'] === '1'

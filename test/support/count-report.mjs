/**
 * Counts the results of a Vitest run. Files that could not be loaded and errors outside of tests are failures too,
 * although they belong to no test. Each failure is reported with the project of its file.
 * @param {number} status exit code of Vitest
 * @param {string | undefined} json its JSON report, when it got as far as to write one
 * @returns {{ passed: number, failed: number, skipped: number, failures: string[] }}
 */
export function countReport(status, json) {
  if (json === undefined) {
    return status === 0
      ? { passed: 0, failed: 0, skipped: 0, failures: [] }
      : { passed: 0, failed: 1, skipped: 0, failures: ['Vitest wrote no report'] }
  }
  const result = { passed: 0, failed: 0, skipped: 0, failures: [] }
  for (const file of JSON.parse(json).testResults) {
    const project = /.*[\\/]test[\\/]([\w-]+)[\\/]/.exec(file.name)?.[1]
    const addFailure = (failure) =>
      result.failures.push(project ? `${project}: ${failure}` : failure)
    for (const test of file.assertionResults) {
      if (test.status === 'passed') result.passed += 1
      else if (test.status === 'failed') {
        result.failed += 1
        addFailure(`${test.fullName}\n${indent(test.failureMessages.join('\n'))}`)
      } else result.skipped += 1
    }
    const ownFailure =
      file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed')
    if (ownFailure) {
      result.failed += 1
      addFailure(`${file.name}\n${indent(file.message)}`)
    }
  }
  if (status !== 0 && result.failed === 0) {
    result.failed = 1
    result.failures.push('an error outside any test: see above')
  }
  return result
}

/**
 * Returns the ten test files that took longest, longest first.
 * @param {string} json Vitest's JSON report
 * @returns {{ name: string, seconds: number }[]}
 */
export function slowestFiles(json) {
  return JSON.parse(json)
    .testResults.map(({ name, startTime, endTime }) => ({
      name,
      seconds: (endTime - startTime) / 1000,
    }))
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, 10)
}

function indent(text) {
  return text.replaceAll(/^/gm, '    ')
}

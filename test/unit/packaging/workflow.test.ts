import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'

const folder = path.resolve(import.meta.dirname, '../../../.github/workflows')
const Step = z.object({
  uses: z.string().optional(),
  run: z.string().optional(),
  env: z.record(z.string(), z.string()).optional(),
  with: z.record(z.string(), z.unknown()).optional(),
})
const Workflow = z.object({
  on: z.record(z.string(), z.unknown()),
  permissions: z.record(z.string(), z.string()),
  jobs: z.record(
    z.string(),
    z.object({
      uses: z.string().optional(),
      needs: z.string().optional(),
      permissions: z.record(z.string(), z.string()).optional(),
      strategy: z.object({ matrix: z.object({ os: z.array(z.string()) }) }).optional(),
      steps: z.array(Step).default([]),
    }),
  ),
})
const text = (name: string): string => readFileSync(path.join(folder, name), 'utf8')
const read = (name: string): z.infer<typeof Workflow> => Workflow.parse(parse(text(name)))

const release = read('release.yml')
const { test, build, release: draft } = release.jobs
const script = (job: typeof build): string =>
  job?.steps.map(({ run }) => run ?? '').join('\n') ?? ''

describe('the release workflow', () => {
  it('begins with a tag, and with all tests', () => {
    expect(release.on).toEqual({ push: { tags: ['v*'] } })
    expect(test?.uses).toBe('./.github/workflows/ci.yml')
    expect(read('ci.yml').on).toHaveProperty('workflow_call')
    expect(build?.needs).toBe('test')
    expect(draft?.needs).toBe('build')
  })

  it('builds on three systems what has the version of its tag', () => {
    expect(build?.strategy?.matrix.os).toEqual(['ubuntu-latest', 'macos-latest', 'windows-latest'])
    expect(script(build)).toContain('test "$GITHUB_REF_NAME" = "v$(node -p')
    // The packager uploads nothing by itself: what is published is what was signed.
    expect(script(build)).toContain('--publish never')
    expect(build?.steps.map(({ env }) => env?.['TABSCOPE_UPDATE_KEY'])).toContain(
      '${{ vars.TABSCOPE_UPDATE_KEY }}',
    )
    const kept = build?.steps.find(({ uses }) => uses?.startsWith('actions/upload-artifact'))
    expect(String(kept?.with?.['path']).trim().split('\n')).toEqual([
      'dist/tabscope-*',
      'dist/latest*.yml',
    ])
  })

  it('signs and has notarised where there are secrets, and works without', () => {
    const env = Object.assign({}, ...(build?.steps.map((step) => step.env ?? {}) ?? []))
    for (const name of [
      'CSC_LINK',
      'CSC_KEY_PASSWORD',
      'WIN_CSC_LINK',
      'WIN_CSC_KEY_PASSWORD',
      'APPLE_API_KEY_TEXT',
      'APPLE_API_KEY_ID',
      'APPLE_API_ISSUER',
    ]) {
      expect(env).toHaveProperty(name, expect.stringMatching(/&& secrets\.\w+ \|\| '' \}\}$/))
      // The packager takes an empty one for a certificate, and fails.
      expect(script(build)).toMatch(new RegExp(String.raw`(for name in.*|unset )\b${name}\b`))
    }
    expect(script(build)).toContain('-c.mac.identity=-')
  })

  it('makes a draft with checksums, by the only job that may write', () => {
    expect(release.permissions).toEqual({ contents: 'read' })
    expect(draft?.permissions).toEqual({ contents: 'write' })
    expect(build?.permissions).toBeUndefined()
    expect(script(draft)).toMatch(
      /release\/sign\.ts release\n.*gh release create .*--draft.* release\/\*$/s,
    )
  })

  it('takes the actions of the platform itself alone, each by its commit, and leaves them no right to push', () => {
    const steps = Object.values(release.jobs).flatMap((job) => job.steps)
    const used = steps.flatMap(({ uses }) => uses ?? [])
    expect(used.length).toBeGreaterThan(5)
    for (const action of used) expect(action).toMatch(/^actions\/[a-z-]+@[\da-f]{40}$/)
    // Who reads it, and what keeps them new, see which version that is.
    expect([...text('release.yml').matchAll(/@[\da-f]{40} # v\d+\.\d+\.\d+$/gm)]).toHaveLength(
      used.length,
    )
    for (const { uses, with: given } of steps) {
      if (uses?.startsWith('actions/checkout@')) {
        expect(given).toEqual({ 'persist-credentials': false })
      }
    }
    // What strangers write (the name of a branch or tag, a message) never stands in a script.
    for (const job of Object.values(release.jobs)) expect(script(job)).not.toContain('${{')
    // Where no secret is, the major version will do.
    const others = Object.values(read('ci.yml').jobs).flatMap((job) => job.steps)
    for (const { uses = 'actions/none@v1' } of others) {
      expect(uses).toMatch(/^actions\/[a-z-]+@v\d+$/)
    }
    expect(text('ci.yml')).not.toContain('secrets.')
  })
})

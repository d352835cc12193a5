import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { defaultDataDir } from '#hosts/data-dir.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const folder = path.join(root, '.github/workflows')
const Step = z.object({
  if: z.string().optional(),
  uses: z.string().optional(),
  run: z.string().optional(),
  env: z.record(z.string(), z.string()).optional(),
  with: z.record(z.string(), z.unknown()).optional(),
  'timeout-minutes': z.number().optional(),
})
const Job = z.object({
  if: z.string().optional(),
  uses: z.string().optional(),
  needs: z.string().optional(),
  secrets: z.record(z.string(), z.string()).optional(),
  permissions: z.record(z.string(), z.string()).optional(),
  strategy: z
    .object({
      matrix: z.object({
        os: z.array(z.string()).optional(),
        include: z
          .array(z.object({ runner: z.string(), os: z.string(), arch: z.string() }))
          .optional(),
      }),
    })
    .optional(),
  'timeout-minutes': z.number().optional(),
  steps: z.array(Step).default([]),
})
const Workflow = z.object({
  on: z.record(z.string(), z.unknown()),
  permissions: z.record(z.string(), z.string()),
  jobs: z.record(z.string(), Job),
})
const text = (name: string): string => readFileSync(path.join(folder, name), 'utf8')
const read = (name: string): z.infer<typeof Workflow> => Workflow.parse(parse(text(name)))

const release = read('release.yml')
const ci = read('ci.yml')
const testing = read('test.yml')
const packaging = read('package.yml')
const { test, build, release: draft } = release.jobs
const { build: onEach, check } = packaging.jobs
const script = (job: z.infer<typeof Job> | undefined): string =>
  job?.steps.map(({ run }) => run ?? '').join('\n') ?? ''
const systems = ['ubuntu-latest', 'macos-latest', 'windows-latest']

describe('the release workflow', () => {
  it('starts with a tag, and runs all tests first', () => {
    expect(release.on).toEqual({ push: { tags: ['v*'] } })
    expect(test?.uses).toBe('./.github/workflows/test.yml')
    expect(testing.on).toHaveProperty('workflow_call')
    expect(testing.jobs['test']?.strategy?.matrix.os).toEqual(systems)
    // A job that is skipped in a called workflow skips whatever needs that workflow.
    for (const { jobs } of [testing, packaging, release])
      for (const job of Object.values(jobs)) expect(job.if).toBeUndefined()
    expect(build?.needs).toBe('test')
  })

  it('creates a draft only if every packaged app passed its self-check', () => {
    expect(build?.uses).toBe('./.github/workflows/package.yml')
    expect(draft?.needs).toBe('build')
    // Not even then with `if`: always() and its like would draft after a failure.
    expect([build?.if, draft?.if]).toEqual([undefined, undefined])
    expect(text('release.yml')).not.toContain('continue-on-error')
    expect(text('package.yml')).not.toMatch(/continue-on-error|\|\| true/)
  })

  it('creates a draft with checksums, in the only job with write permission', () => {
    expect(release.permissions).toEqual({ contents: 'read' })
    expect(packaging.permissions).toEqual({ contents: 'read' })
    expect(draft?.permissions).toEqual({ contents: 'write' })
    for (const job of [build, onEach, check]) expect(job?.permissions).toBeUndefined()
    expect(script(draft)).toMatch(
      /sha256sum -- \* > .*SHA256SUMS .*\n.*gh release create .*--draft.* release\/\*$/s,
    )
    // The reports of the self-checks are no part of a release.
    const fetched = draft?.steps.find(({ uses }) => uses?.startsWith('actions/download-artifact'))
    expect(fetched?.with).toMatchObject({ pattern: 'packages-*', 'merge-multiple': true })
  })
})

describe('the packaging workflow', () => {
  it('builds the version of its tag on three systems', () => {
    expect(onEach?.strategy?.matrix.os).toEqual(systems)
    expect(script(onEach)).toContain('test "$GITHUB_REF_NAME" = "v$(node -p')
    // The packager uploads nothing by itself: what is published is what was checked.
    expect(script(onEach)).toContain('--publish never')
    const kept = onEach?.steps.findLast(({ uses }) => uses?.startsWith('actions/upload-artifact'))
    expect(kept?.if).toBeUndefined()
    expect(kept?.with?.['name']).toBe('packages-${{ matrix.os }}')
    expect(String(kept?.with?.['path']).trim().split('\n')).toEqual([
      'dist/tabscope-*',
      'dist/latest*.yml',
    ])
  })

  it('signs and notarizes if there are secrets, and works without them', () => {
    const env = Object.assign({}, ...(onEach?.steps.map((step) => step.env ?? {}) ?? []))
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
      expect(script(onEach)).toMatch(new RegExp(String.raw`(for name in.*|unset )\b${name}\b`))
    }
    expect(script(onEach)).toContain('-c.mac.identity=-')
    // Else it would leave the signature of Electron's own files, which no longer fits, and macOS would not start the app.
    expect(env).toHaveProperty('CSC_FOR_PULL_REQUEST', 'true')
    // Each secret that is used is handed over, by the release alone.
    const used = [...text('package.yml').matchAll(/secrets\.(\w+)/g)].map(([, name]) => name)
    expect(new Set(Object.keys(build?.secrets ?? {}))).toEqual(new Set(used))
    expect(ci.jobs['package']?.secrets).toBeUndefined()
  })

  it('installs on each system and processor what it packaged, over an earlier version', () => {
    expect(check?.needs).toBe('build')
    const runners = check?.strategy?.matrix.include ?? []
    expect(runners.map(({ os, arch }) => `${os} ${arch}`)).toEqual(
      systems.flatMap((os) => [`${os} x64`, `${os} arm64`]),
    )
    expect(new Set(runners.map(({ runner }) => runner)).size).toBe(runners.length)
    const given = check?.steps.flatMap(({ with: options }) => options?.['path'] ?? [])
    expect(given).toEqual(['earlier', 'packages', 'self-check'])
    const upgrade = check?.steps.find(({ run }) => run?.includes('install packages'))?.run ?? ''
    expect(upgrade).toMatch(/install earlier\nreceive\ninstall packages\nreceive\n/)
    expect(script(onEach)).toContain('-c.extraMetadata.version=0.0.1')
    expect(script(check)).toContain(`grep --quiet '"version":"0.0.1"'`)
    // The names of the packages, and where the app keeps its data.
    for (const pattern of ['linux-"$(dpkg', 'mac-"$ARCH".zip', 'win-"$ARCH".exe'])
      expect(upgrade).toContain(`/tabscope-*-${pattern}`)
    for (const platform of ['linux', 'darwin'] as const)
      expect(upgrade).toContain(`data="${defaultDataDir(platform, {}, '$HOME')}"`)
    expect(upgrade).toContain('data="$LOCALAPPDATA/Tabscope/data"')
  })
})

describe('the publishing workflow', () => {
  const publishing = read('publish.yml')
  const { npm } = publishing.jobs

  it('publishes the npm package with its provenance once a release is public', () => {
    expect(publishing.on).toEqual({ release: { types: ['published'] } })
    expect(publishing.permissions).toEqual({ contents: 'read' })
    expect(npm?.permissions).toEqual({ contents: 'read', 'id-token': 'write' })
    expect(script(npm)).toMatch(
      /test "\$GITHUB_REF_NAME" = "v\$\(node -p .*\nnpm publish --provenance --access public --tag "\$TAG"$/s,
    )
    const token = npm?.steps.map(({ env }) => env?.['NODE_AUTH_TOKEN'])
    expect(token?.filter(Boolean)).toEqual(['${{ secrets.NPM_TOKEN }}'])
  })
})

describe.each(['test.yml', 'package.yml', 'release.yml', 'publish.yml'])('%s', (name) => {
  const { jobs } = read(name)
  const steps = Object.values(jobs).flatMap((job) => job.steps)

  it('uses only official actions, pinned by commit, without push permission', () => {
    const used = steps.flatMap(({ uses }) => uses ?? [])
    expect(used.length).toBeGreaterThan(1)
    for (const action of used) expect(action).toMatch(/^actions\/[a-z-]+@[\da-f]{40}$/)
    // Who reads it, and what keeps them new, see which version that is.
    expect([...text(name).matchAll(/@[\da-f]{40} # v\d+\.\d+\.\d+$/gm)]).toHaveLength(used.length)
    for (const { uses, with: given } of steps) {
      if (uses?.startsWith('actions/checkout@')) {
        expect(given).toEqual({ 'persist-credentials': false })
      }
    }
    // What strangers write (the name of a branch or tag, a message) never stands in a script.
    for (const job of Object.values(jobs)) expect(script(job)).not.toContain('${{')
  })

  it.runIf(name !== 'release.yml')(
    'installs with an npm that rejects unreviewed install scripts',
    () => {
      const installs = steps.filter(({ run }) => run?.startsWith('npm ci'))
      expect(installs.length).toBe(1)
      expect(installs[0]?.run).toBe('npm ci --strict-allow-scripts')
      // npm knows the option from 11.16 on, which Node 24.19 brings; an older one that the runner has would ignore it.
      const node = steps.find(({ uses }) => uses?.startsWith('actions/setup-node@'))
      expect(node?.with?.['node-version']).toBe('^24.19.0')
    },
  )

  it('lets no job run forever', () => {
    for (const job of Object.values(jobs)) {
      if (job.uses === undefined) expect(job['timeout-minutes']).toBeLessThanOrEqual(60)
    }
  })

  it('reads secrets only in the steps that receive them', () => {
    if (name === 'test.yml') expect(text(name)).not.toContain('secrets.')
    else expect(text(name)).toContain('secrets.')
  })
})

it('.gitattributes sets line feeds for all text', () => {
  expect(readFileSync(path.resolve(folder, '../../.gitattributes'), 'utf8')).toMatch(
    /^\* text=auto eol=lf$/m,
  )
})

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

// The repository does not have them, since only `test:full` needs them (100 MB).
const packages = [
  'koa@3.3.0',
  '@types/koa@3.0.3',
  '@nestjs/common@12.5.1',
  '@nestjs/core@12.5.1',
  '@nestjs/platform-express@12.5.1',
  'reflect-metadata@0.2.2',
  'rxjs@7.8.2',
  'express@5.3.0',
  '@types/express@5.0.6',
  'h3@1.15.11',
  '@sveltejs/kit@2.70.4',
  '@sveltejs/adapter-node@5.5.7',
  '@sveltejs/vite-plugin-svelte@7.3.1',
  'svelte@5.57.3',
  'vite@8.4.0',
  '@cloudflare/workers-types@5.20261117.1',
  '@types/aws-lambda@8.10.164',
  'elysia@1.4.30',
  '@sinclair/typebox@0.34.52',
  '@types/node@24.19.4',
]

/** Installs them once in a temporary folder, which is kept. Returns its `node_modules`, or null if that fails. */
export function installedPackages(): string | null {
  const hash = createHash('sha256').update(packages.join()).digest('hex').slice(0, 16)
  const folder = path.join(tmpdir(), `tabscope-packages-${hash}`)
  const modules = path.join(folder, 'node_modules')
  if (existsSync(folder)) return modules
  const unfinished = `${folder}-${process.pid}`
  mkdirSync(unfinished, { recursive: true })
  writeFileSync(path.join(unfinished, 'package.json'), '{"private":true}')
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-save']
  const { status } = spawnSync('npm', ['install', ...options, ...packages], { cwd: unfinished })
  if (status !== 0) return null
  renameSync(unfinished, folder)
  return modules
}

// `npm run bench [name …]`: every measurement of this folder, one after the other, or the named ones.
import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import { installIfStale } from '../../supabase/local/install.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = fileURLToPath(new URL('.', import.meta.url))
const parts = /-server\.ts$/
const all = readdirSync(folder).filter((file) => file.endsWith('.ts') && !parts.test(file))
const named = process.argv.slice(2)
const wanted = named.length === 0 ? all : all.filter((file) => named.includes(file.replace(/\.ts$/, '')))

await installIfStale(root)
if (wanted.length === 0) {
  console.error(`There is no such measurement. There are: ${all.map((file) => file.replace(/\.ts$/, '')).join(', ')}.`)
  process.exitCode = 1
}
for (const file of wanted) {
  console.log(`\n── ${file.replace(/\.ts$/, '')}`)
  const code = await measure(join(folder, file))
  if (code !== 0) process.exitCode = 1
}

/**
 * @param {string} file
 * @returns {Promise<number>}
 */
function measure(file) {
  return new Promise((settle) => {
    const child = spawn(process.execPath, ['--import', 'tsx', file], { cwd: root, stdio: 'inherit' })
    child.once('error', () => settle(1))
    child.once('close', (code) => settle(code ?? 1))
  })
}

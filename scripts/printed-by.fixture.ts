import { spawn } from 'node:child_process'
import { resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')

/** What a program prints when it runs in the root of the checkout. Rejects with what it complains of where it fails. */
export function printedBy(file: string): Promise<string> {
  return new Promise((done, failed) => {
    const child = spawn(process.execPath, [file], { cwd: root })
    let [printed, complained] = ['', '']
    child.stdout.on('data', (chunk: Buffer) => void (printed += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => void (complained += chunk.toString()))
    child.on('error', failed)
    child.on('close', (code) => (code === 0 ? done(printed) : failed(new Error(`${code}: ${complained}`))))
  })
}

// A thread that has made much, of which nothing is alive any more, and says how large its heap is whenever it is asked.
import { getHeapStatistics } from 'node:v8'
import { parentPort } from 'node:worker_threads'
import { collectAtRest } from './rest.ts'

collectAtRest()
const made = Array.from({ length: 400_000 }, (_, at) => ({ at, own: [at] }))
parentPort?.on('message', () => parentPort?.postMessage(getHeapStatistics().total_physical_size))
parentPort?.postMessage(made.length)
made.length = 0

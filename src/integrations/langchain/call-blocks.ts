/** Types of blocks in which some providers' messages repeat the calls that stand in `tool_calls`. */
export const callBlocks: ReadonlySet<unknown> = new Set(['tool_use', 'tool_call', 'function_call', 'input_json_delta'])

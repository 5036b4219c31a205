/** A model's name as part of a path. Half a surrogate pair, which no path can hold, becomes a sign that stands for none. */
export function modelInPath(model: string): string {
  return encodeURIComponent(model.toWellFormed())
}

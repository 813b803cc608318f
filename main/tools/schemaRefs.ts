import type { JsonObject } from '../../shared/tools.ts';
import { isObject, isSchema, mapSchema, type Schema } from './schemaWalk.ts';

export interface ResolvedRefs {
  schema: JsonObject;
  notes: string[];
  /** A reference into the network, which is never followed: the tool cannot be used. */
  remote?: string;
}

/**
 * Makes every `$ref` point into the root's `$defs`: targets elsewhere are copied there, dangling ones become
 * "anything" and are noted. Nothing is inlined, so a schema that refers to itself stays finite.
 */
export function resolveRefs(root: JsonObject): ResolvedRefs {
  const notes: string[] = [];
  const defs = new Map<string, Schema>(
    Object.entries(isObject(root.$defs) ? root.$defs : {}).filter(isSchemaEntry),
  );
  const copied = new Map<string, string>();
  // What the root defines itself; what a reference points to elsewhere follows as it is found.
  const waiting: [string, Schema][] = [...defs];
  let remote: string | undefined;

  const target = (ref: string): string | undefined => {
    const known = /^#\/\$defs\/([^/]+)$/.exec(ref)?.[1];
    if (known !== undefined && defs.has(unescapePointer(known))) return ref;
    const already = copied.get(ref);
    if (already) return already;
    const found = lookUp(root, ref);
    if (!isSchema(found)) return undefined;
    let name = `ref${copied.size + 1}`;
    while (defs.has(name)) name += '_';
    copied.set(ref, `#/$defs/${name}`);
    defs.set(name, true);
    waiting.push([name, found]);
    return `#/$defs/${name}`;
  };

  const repoint = (schema: JsonObject): Schema => {
    const { $ref, $dynamicRef, $anchor: _anchor, $dynamicAnchor: _dynamic, ...rest } = schema;
    const ref = $ref ?? $dynamicRef;
    if (ref === undefined) return rest;
    if (typeof ref !== 'string') return rest;
    if (!ref.startsWith('#')) {
      remote ??= ref;
      return rest;
    }
    const local = target(ref);
    if (local) return { ...rest, $ref: local };
    notes.push(`It refers to ${ref}, which it does not contain: that part may hold anything.`);
    return rest;
  };

  const { $defs: _defs, ...body } = root;
  const schema = mapSchema(body, repoint) as JsonObject;
  const finished: JsonObject = {};
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const [name, def] = next;
    finished[name] = mapSchema(isObject(def) ? withoutDefs(def) : def, repoint);
  }
  if (Object.keys(finished).length > 0) schema.$defs = finished;
  return { schema, notes: [...new Set(notes)], ...(remote === undefined ? {} : { remote }) };
}

/** A copy of the root as a definition must not drag the definitions along. */
function withoutDefs(schema: JsonObject): JsonObject {
  const { $defs: _defs, ...rest } = schema;
  return rest;
}

function isSchemaEntry(entry: [string, unknown]): entry is [string, Schema] {
  return isSchema(entry[1]);
}

function lookUp(root: JsonObject, ref: string): unknown {
  if (ref === '#') return root;
  if (!ref.startsWith('#/')) return undefined;
  let current: unknown = root;
  for (const part of ref.slice(2).split('/').map(unescapePointer)) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, part)) return undefined;
    current = (current as JsonObject)[part];
  }
  return current;
}

function unescapePointer(part: string): string {
  let decoded = part;
  try {
    decoded = decodeURIComponent(part);
  } catch {
    // Not percent-encoded: taken as it stands.
  }
  return decoded.replaceAll('~1', '/').replaceAll('~0', '~');
}

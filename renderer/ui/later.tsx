import { type ComponentType, createElement, lazy, Suspense, useState } from 'react';

const rest: (() => Promise<void>)[] = [];

/**
 * A component that the first screen does not need: its code is loaded when it is shown, or by `loadRest` before that.
 * Nothing is in its place meanwhile.
 */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  const keep = async () => {
    loaded = await load();
  };
  rest.push(keep);
  const Lazy = lazy(async () => ({ default: await load() })) as unknown as ComponentType<Props>;
  // biome-ignore lint/correctness/noComponentHookFactories: made once, by the module that uses it
  return function Later(props: Props) {
    // Chosen once: another one would begin anew.
    const [Component] = useState(() => loaded ?? Lazy);
    return <Suspense>{createElement(Component, props)}</Suspense>;
  };
}

/** Loads what is left as soon as the window has nothing else to do, so that nobody waits for it. */
export function loadRest(): void {
  requestIdleCallback(() => {
    // What fails is tried again, and told, when it is shown.
    for (const keep of rest.splice(0)) keep().catch(() => {});
  });
}

/** The origin of Parley's own page, the only one that may ask anything. */
export const APP_ORIGIN = 'parley://app';

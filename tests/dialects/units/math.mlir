func.func @absf(%x: f32, %v: vector<4xf16>, %t: tensor<?xf64>) {
  %0 = math.absf %x : f32
  %1 = math.absf %v fastmath<fast> : vector<4xf16>
  %2 = math.absf %t fastmath<nnan, ninf> {x.y = 1 : i32} : tensor<?xf64>
  return
}
// -----
func.func @acos(%x: f32, %v: vector<4xf16>, %t: tensor<?xf64>) {
  %0 = math.acos %x : f32
  %1 = math.acos %v fastmath<fast> : vector<4xf16>
  %2 = math.acos %t fastmath<nnan, ninf> {x.y = 1 : i32} : tensor<?xf64>
  return
}
// -----
func.func @acosh(%x: f32, %v: vector<4xf16>, %t: tensor<?xf64>) {
  %0 = math.acosh %x : f32
  %1 = math.acosh %v fastmath<fast> : vector<4xf16>
  %2 = math.acosh %t fastmath<nnan, ninf> {x.y = 1 : i32} : tensor<?xf64>
  return
}
// -----
func.func @asin(%x: f32, %v: vector<4xf16>, %t: tensor<?xf64>) {
  %0 = math.asin %x : f32
  %1 = math.asin %v fastmath<fast> : vector<4xf16>
  %2 = math.asin %t fastmath<nnan, ninf> {x.y = 1 : i32} : tensor<?xf64>
  return
}
// -----
func.func @asinh(%x: f32, %v: vector<4xf16>, %t: tensor<?xf64>) {
  %0 = math.asinh %x : f32
  %1 = math.asinh %v fastmath<fast> : vector<4xf16>
  %2 = math.asinh %t fastmath<nnan, ninf> {x.y = 1 : i32} : tensor<?xf64>
  return
}
// -----
func.func @atan(%x: f32, %v: vector<4xf16>, %t: tensor<?xf64>) {
  %0 = math.atan %x : f32
  %1 = math.atan %v fastmath<fast> : vector<4xf16>
  %2 = math.atan %t fastmath<nnan, ninf> {x.y = 1 : i32} : tensor<?xf64>
  return
}
// -----
func.func @atanh(%x: f32, %v: vector<4xf16>, %t: tensor<?xf64>) {
  %0 = math.atanh %x : f32
  %1 = math.atanh %v fastmath<fast> : vector<4xf16>
  %2 = math.atanh %t fastmath<nnan, ninf> {x.y = 1 : i32} : tensor<?xf64>
  return
}
// -----
func.func @cbrt(%x: f32, %v: vector<4xf16>, %t: tensor<?xf64>) {
  %0 = math.cbrt %x : f32
  %1 = math.cbrt %v fastmath<fast> : vector<4xf16>
  %2 = math.cbrt %t fastmath<nnan, ninf> {x.y = 1 : i32} : tensor<?xf64>
  return
}
// -----
func.func @ceil(%x: f32, %v: vector<4xf16>, %t: tensor<?xf64>) {
  %0 = math.ceil %x : f32
  %1 = math.ceil %v fastmath<fast> : vector<4xf16>
  %2 = math.ceil %t fastmath<nnan, ninf> {x.y = 1 : i32} : tensor<?xf64>
  return
}
// -----
func.func @cos(%x: f32, %v: vector<4xf16>, %t: tensor<?xf64>) {
  %0 = math.cos %x : f32
  %1 = math.cos %v fastmath<fast> : vector<4xf16>
  %2 = math.cos %t fastmath<nnan, ninf> {x.y = 1 : i32} : tensor<?xf64>
  return
}
// -----
func.func @cosh(%x: f32, %v: vector<4xf16>, %t: tensor<?xf64>) {
  %0 = math.cosh %x : f32
  %1 = math.cosh %v fastmath<fast> : vector<4xf16>
  %2 = math.cosh %t fastmath<nnan, ninf> {x.y = 1 : i32} : tensor<?xf64>
  return
}
// -----
func.func @erf(%x: f32, %v: vector<4xf16>, %t: tensor<?xf64>) {
  %0 = math.erf %x : f32
  %1 = math.erf %v fastmath<fast> : vector<4xf16>
  %2 = math.erf %t fastmath<nnan, ninf> {x.y = 1 : i32} : tensor<?xf64>
  return
}
// -----
func.func @erfc(%x: f32, %v: vector<4xf16>, %t: tensor<?xf64>) {
  %0 = math.erfc %x : f32
  %1 = math.erfc %v fastmath<fast> : vector<4xf16>
  %2 = math.erfc %t fastmath<nnan, ninf> {x.y = 1 : i32} : tensor<?xf64>
  return
}
// -----
func.func @exp(%x: f32, %v: vector<4xf16>, %t: tensor<?xf64>) {
  %0 = math.exp %x : f32
  %1 = math.exp %v fastmath<fast> : vector<4xf16>
  %2 = math.exp %t fastmath<nnan, ninf> {x.y = 1 : i32} : tensor<?xf64>
  return
}
// -----
func.func @exp2(%x: f32, %v: vector<4xf16>, %t: tensor<?xf64>) {
  %0 = math.exp2 %x : f32
  %1 = math.exp2 %v fastmath<fast> : vector<4xf16>
  %2 = math.exp2 %t fastmath<nnan, ninf> {x.y = 1 : i32} : tensor<?xf64>
  return
}
// -----
func.func @expm1(%x: f32, %v: vector<4xf16>, %t: tensor<?xf64>) {
  %0 = math.expm1 %x : f32
  %1 = math.expm1 %v fastmath<fast> : vector<4xf16>
  %2 = math.expm1 %t fastmath<nnan, ninf> {x.y = 1 : i32} : tensor<?xf64>
  return
}
// -----
func.func @floor(%x: f32, %v: vector<4xf16>, %t: tensor<?xf64>) {
  %0 = math.floor %x : f32
  %1 = math.floor %v fastmath<fast> : vector<4xf16>
  %2 = math.floor %t fastmath<nnan, ninf> {x.y = 1 : i32} : tensor<?xf64>
  return
}
// -----
func.func @log(%x: f32, %v: vector<4xf16>, %t: tensor<?xf64>) {
  %0 = math.log %x : f32
  %1 = math.log %v fastmath<fast> : vector<4xf16>
  %2 = math.log %t fastmath<nnan, ninf> {x.y = 1 : i32} : tensor<?xf64>
  return
}
// -----
func.func @log10(%x: f32, %v: vector<4xf16>, %t: tensor<?xf64>) {
  %0 = math.log10 %x : f32
  %1 = math.log10 %v fastmath<fast> : vector<4xf16>
  %2 = math.log10 %t fastmath<nnan, ninf> {x.y = 1 : i32} : tensor<?xf64>
  return
}
// -----
func.func @log1p(%x: f32, %v: vector<4xf16>, %t: tensor<?xf64>) {
  %0 = math.log1p %x : f32
  %1 = math.log1p %v fastmath<fast> : vector<4xf16>
  %2 = math.log1p %t fastmath<nnan, ninf> {x.y = 1 : i32} : tensor<?xf64>
  return
}
// -----
func.func @log2(%x: f32, %v: vector<4xf16>, %t: tensor<?xf64>) {
  %0 = math.log2 %x : f32
  %1 = math.log2 %v fastmath<fast> : vector<4xf16>
  %2 = math.log2 %t fastmath<nnan, ninf> {x.y = 1 : i32} : tensor<?xf64>
  return
}
// -----
func.func @round(%x: f32, %v: vector<4xf16>, %t: tensor<?xf64>) {
  %0 = math.round %x : f32
  %1 = math.round %v fastmath<fast> : vector<4xf16>
  %2 = math.round %t fastmath<nnan, ninf> {x.y = 1 : i32} : tensor<?xf64>
  return
}
// -----
func.func @roundeven(%x: f32, %v: vector<4xf16>, %t: tensor<?xf64>) {
  %0 = math.roundeven %x : f32
  %1 = math.roundeven %v fastmath<fast> : vector<4xf16>
  %2 = math.roundeven %t fastmath<nnan, ninf> {x.y = 1 : i32} : tensor<?xf64>
  return
}
// -----
func.func @rsqrt(%x: f32, %v: vector<4xf16>, %t: tensor<?xf64>) {
  %0 = math.rsqrt %x : f32
  %1 = math.rsqrt %v fastmath<fast> : vector<4xf16>
  %2 = math.rsqrt %t fastmath<nnan, ninf> {x.y = 1 : i32} : tensor<?xf64>
  return
}
// -----
func.func @sin(%x: f32, %v: vector<4xf16>, %t: tensor<?xf64>) {
  %0 = math.sin %x : f32
  %1 = math.sin %v fastmath<fast> : vector<4xf16>
  %2 = math.sin %t fastmath<nnan, ninf> {x.y = 1 : i32} : tensor<?xf64>
  return
}
// -----
func.func @sinh(%x: f32, %v: vector<4xf16>, %t: tensor<?xf64>) {
  %0 = math.sinh %x : f32
  %1 = math.sinh %v fastmath<fast> : vector<4xf16>
  %2 = math.sinh %t fastmath<nnan, ninf> {x.y = 1 : i32} : tensor<?xf64>
  return
}
// -----
func.func @sqrt(%x: f32, %v: vector<4xf16>, %t: tensor<?xf64>) {
  %0 = math.sqrt %x : f32
  %1 = math.sqrt %v fastmath<fast> : vector<4xf16>
  %2 = math.sqrt %t fastmath<nnan, ninf> {x.y = 1 : i32} : tensor<?xf64>
  return
}
// -----
func.func @tan(%x: f32, %v: vector<4xf16>, %t: tensor<?xf64>) {
  %0 = math.tan %x : f32
  %1 = math.tan %v fastmath<fast> : vector<4xf16>
  %2 = math.tan %t fastmath<nnan, ninf> {x.y = 1 : i32} : tensor<?xf64>
  return
}
// -----
func.func @tanh(%x: f32, %v: vector<4xf16>, %t: tensor<?xf64>) {
  %0 = math.tanh %x : f32
  %1 = math.tanh %v fastmath<fast> : vector<4xf16>
  %2 = math.tanh %t fastmath<nnan, ninf> {x.y = 1 : i32} : tensor<?xf64>
  return
}
// -----
func.func @trunc(%x: f32, %v: vector<4xf16>, %t: tensor<?xf64>) {
  %0 = math.trunc %x : f32
  %1 = math.trunc %v fastmath<fast> : vector<4xf16>
  %2 = math.trunc %t fastmath<nnan, ninf> {x.y = 1 : i32} : tensor<?xf64>
  return
}
// -----
func.func @atan2(%x: f32, %v: vector<4xf16>) {
  %0 = math.atan2 %x, %x : f32
  %1 = math.atan2 %v, %v fastmath<fast> {x.y = 1 : i32} : vector<4xf16>
  return
}
// -----
func.func @copysign(%x: f32, %v: vector<4xf16>) {
  %0 = math.copysign %x, %x : f32
  %1 = math.copysign %v, %v fastmath<fast> {x.y = 1 : i32} : vector<4xf16>
  return
}
// -----
func.func @powf(%x: f32, %v: vector<4xf16>) {
  %0 = math.powf %x, %x : f32
  %1 = math.powf %v, %v fastmath<fast> {x.y = 1 : i32} : vector<4xf16>
  return
}
// -----
func.func @others(%x: f32, %n: i32, %v: vector<4xf16>, %w: vector<4xi32>, %i: index) {
  %0 = math.fma %x, %x, %x : f32
  %1 = math.fma %v, %v, %v fastmath<fast> : vector<4xf16>
  %2 = math.absi %n : i32
  %3 = math.absi %i : index
  %4 = math.ctlz %n : i32
  %5 = math.cttz %w {x.y} : vector<4xi32>
  %6 = math.ctpop %n : i32
  %7 = math.fpowi %x, %n : f32, i32
  %8 = math.fpowi %v, %w fastmath<nsz> : vector<4xf16>, vector<4xi32>
  %9 = math.ipowi %n, %n : i32
  %10 = math.isfinite %x : f32
  %11 = math.isinf %v : vector<4xf16>
  %12 = math.isnan %x : f32
  %13 = math.isnormal %v {x.y} : vector<4xf16>
  %14 = math.clampf %x to [%x, %x] : f32
  %15 = math.clampf %v to [%v, %v] fastmath<fast> : vector<4xf16>
  %16, %17 = math.sincos %x : f32
  %18, %19 = math.sincos %v fastmath<fast> : vector<4xf16>
  return
}

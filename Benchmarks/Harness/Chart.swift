import Foundation

/// Times over sizes, both on logarithmic axes, as an SVG that is read on white and on black.
struct Chart {
  struct Series {
    let name: String
    /// In rows and milliseconds.
    var points: [(rows: Int, time: Double)]
  }

  let title: String
  let series: [Series]

  private static let (width, height) = (760.0, 430.0)
  private static let plot = (left: 74.0, top: 46.0, right: 500.0, bottom: 376.0)
  /// Of middling lightness, told apart also by those who see colours otherwise: after Okabe and Ito, 2008.
  private static let colours = [
    "#0f7fc4", "#d9622b", "#109a76", "#b5588f", "#b8860b", "#7a6ff0", "#4f9dd9", "#8a8f00", "#c4423f", "#808080",
    "#2f9e44", "#a0522d",
  ]

  /// Nil where there are not two sizes.
  func svg() -> String? {
    let points = series.flatMap(\.points)
    guard let few = points.map(\.rows).min(), let many = points.map(\.rows).max(), few < many,
      let least = points.map(\.time).min(), let most = points.map(\.time).max(), least > 0
    else { return nil }
    let x = Axis(over: Double(few)...Double(many), at: Chart.plot.left...Chart.plot.right)
    let y = Axis(over: least...most, at: Chart.plot.top...Chart.plot.bottom, isDown: true)
    var lines = [
      """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Int(Chart.width)) \(Int(Chart.height))" \
      font-family="system-ui, sans-serif" font-size="13" role="img" aria-label="\(escaped(title))">
      """,
      "<style>text{fill:#24292f}.grid{stroke:#24292f;stroke-opacity:.15}"
        + "@media(prefers-color-scheme:dark){text{fill:#e6edf3}.grid{stroke:#e6edf3;stroke-opacity:.2}}</style>",
      text(Chart.plot.left, 24, title, "font-size=\"15\" font-weight=\"600\""),
    ]
    for value in x.decades {
      let place = x.place(value)
      lines.append(grid(place, Chart.plot.top, place, Chart.plot.bottom))
      lines.append(text(place, Chart.plot.bottom + 20, Format.count(Int(value)), "text-anchor=\"middle\""))
    }
    for value in y.decades {
      let place = y.place(value)
      lines.append(grid(Chart.plot.left, place, Chart.plot.right, place))
      lines.append(text(Chart.plot.left - 8, place + 4, Chart.unit(value), "text-anchor=\"end\""))
    }
    let middle = (Chart.plot.left + Chart.plot.right) / 2
    lines.append(text(middle, Chart.plot.bottom + 42, "rows", "text-anchor=\"middle\""))
    for (index, series) in series.enumerated() {
      lines += line(series, Chart.colours[index % Chart.colours.count], x, y)
      let place = Chart.plot.top + 10 + Double(index) * 22
      lines.append(mark(Chart.plot.right + 22, place, index))
      lines.append(text(Chart.plot.right + 34, place + 4, series.name, ""))
    }
    return (lines + ["</svg>"]).joined(separator: "\n") + "\n"
  }

  private func line(_ series: Series, _ colour: String, _ x: Axis, _ y: Axis) -> [String] {
    let points = series.points.map { (number(x.place(Double($0.rows))), number(y.place($0.time))) }
    let path = points.map { "\($0.0),\($0.1)" }.joined(separator: " ")
    return ["<polyline points=\"\(path)\" fill=\"none\" stroke=\"\(colour)\" stroke-width=\"2\"/>"]
      + points.map { "<circle cx=\"\($0.0)\" cy=\"\($0.1)\" r=\"3.2\" fill=\"\(colour)\"/>" }
  }

  private func mark(_ x: Double, _ y: Double, _ index: Int) -> String {
    "<circle cx=\"\(number(x))\" cy=\"\(number(y))\" r=\"4.5\" fill=\"\(Chart.colours[index % Chart.colours.count])\"/>"
  }

  private func grid(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> String {
    "<line class=\"grid\" x1=\"\(number(x1))\" y1=\"\(number(y1))\" x2=\"\(number(x2))\" y2=\"\(number(y2))\"/>"
  }

  private func text(_ x: Double, _ y: Double, _ text: String, _ attributes: String) -> String {
    let attributes = attributes.isEmpty ? "" : " \(attributes)"
    return "<text x=\"\(number(x))\" y=\"\(number(y))\"\(attributes)>\(escaped(text))</text>"
  }

  private func number(_ value: Double) -> String { Format.fixed(value, 1) }

  private func escaped(_ text: String) -> String {
    text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
      .replacingOccurrences(of: "\"", with: "&quot;")
  }

  /// A power of ten of milliseconds.
  private static func unit(_ time: Double) -> String {
    if time >= 1000 { return "\(Int((time / 1000).rounded())) s" }
    if time >= 0.999 { return "\(Int(time.rounded())) ms" }
    if time >= 0.000_999 { return "\(Int((time * 1000).rounded())) µs" }
    return "\(Int((time * 1_000_000).rounded())) ns"
  }
}

/// A logarithmic axis over whole decades.
private struct Axis {
  let low: Double
  let high: Double
  let places: ClosedRange<Double>
  let isDown: Bool

  init(over values: ClosedRange<Double>, at places: ClosedRange<Double>, isDown: Bool = false) {
    // 1,000 is a little less than 3 by its logarithm.
    low = floor(log10(values.lowerBound) + 1e-9)
    high = max(ceil(log10(values.upperBound) - 1e-9), low + 1)
    self.places = places
    self.isDown = isDown
  }

  var decades: [Double] { (Int(low)...Int(high)).map { pow(10, Double($0)) } }

  func place(_ value: Double) -> Double {
    let part = (log10(value) - low) / (high - low) * (places.upperBound - places.lowerBound)
    return isDown ? places.upperBound - part : places.lowerBound + part
  }
}

extension Chart {
  /// What was measured of the workloads of a family, by the names that they give.
  init(_ family: ChartFamily, _ workloads: [Workload], _ measurements: [Measurement]) {
    var series: [Series] = []
    func add(_ name: String, _ rows: Int, _ time: Double?) {
      guard let time else { return }
      if let index = series.firstIndex(where: { $0.name == name }) {
        series[index].points.append((rows, time))
      } else {
        series.append(Series(name: name, points: [(rows, time)]))
      }
    }
    for workload in workloads {
      guard let place = workload.chart, place.family == family else { continue }
      var sizes: Set<Int> = []
      for measurement in measurements where measurement.id == workload.id && sizes.insert(measurement.rows).inserted {
        add(place.variant, measurement.rows, measurement.median)
        if let baseline = place.baseline { add(baseline, measurement.rows, measurement.baselineMedian) }
      }
    }
    title = family.title
    self.series = series.map { Series(name: $0.name, points: $0.points.sorted { $0.rows < $1.rows }) }
  }
}
